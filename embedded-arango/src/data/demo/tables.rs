//! The tables: invented people, titles and places.

/// An author: name, the name in Latin letters where it is in another script, country, year of birth where known, genres.
pub(super) type Author = (
    &'static str,
    Option<&'static str>,
    &'static str,
    Option<i64>,
    &'static [&'static str],
);

pub(super) const AUTHORS: [Author; 48] = [
    (
        "Maren Falkenried",
        None,
        "Germany",
        Some(1971),
        &["crime", "novel"],
    ),
    (
        "Œnone d'Arbelles",
        None,
        "France",
        Some(1958),
        &["novel", "poetry"],
    ),
    (
        "Þórdís Eldjárnsdóttir",
        None,
        "Iceland",
        Some(1983),
        &["crime"],
    ),
    (
        "Ángeles Quiñonero",
        None,
        "Spain",
        Some(1966),
        &["cookery", "travel"],
    ),
    ("Nguyễn Thảo Lam", None, "Vietnam", Some(1990), &["novel"]),
    (
        "Adébáyò Ọláwálé-Fún",
        None,
        "Nigeria",
        Some(1978),
        &["novel", "history"],
    ),
    (
        "Łucja Przybyszewicz",
        None,
        "Poland",
        Some(1985),
        &["fantasy"],
    ),
    ("Ağca Yıldızoğlu", None, "Türkiye", Some(1962), &["history"]),
    (
        "Ελπινίκη Καραβαγγέλου",
        Some("Elpiniki Karavangelou"),
        "Greece",
        Some(1969),
        &["poetry", "travel"],
    ),
    (
        "Светозара Ледянкина",
        Some("Svetozara Ledyankina"),
        "Bulgaria",
        Some(1975),
        &["fantasy", "children"],
    ),
    (
        "Остап Вербоградський",
        Some("Ostap Verbohradskyi"),
        "Ukraine",
        Some(1949),
        &["history", "novel"],
    ),
    (
        "ليان الزيتونجي",
        Some("Layan al-Zaytounji"),
        "Lebanon",
        Some(1988),
        &["poetry"],
    ),
    (
        "يوسف بن مرجانة",
        Some("Yusuf ben Murjana"),
        "Morocco",
        Some(1954),
        &["cookery"],
    ),
    (
        "תמר גלבועי־שקד",
        Some("Tamar Gilboi-Shaked"),
        "Israel",
        Some(1981),
        &["children"],
    ),
    (
        "ऋतंभरा वनगाँवकर",
        Some("Ritambhara Vangaonkar"),
        "India",
        Some(1972),
        &["novel", "science"],
    ),
    (
        "ইলোরা মেঘবর্ণ",
        Some("Elora Meghbarna"),
        "Bangladesh",
        Some(1993),
        &["poetry"],
    ),
    (
        "தென்மொழி கடலரசி",
        Some("Thenmozhi Kadalarasi"),
        "Sri Lanka",
        None,
        &["cookery", "children"],
    ),
    (
        "森影 千鳥",
        Some("Chidori Morikage"),
        "Japan",
        Some(1964),
        &["crime", "fantasy"],
    ),
    (
        "霧野 宙",
        Some("Sora Kirino"),
        "Japan",
        Some(1995),
        &["science"],
    ),
    (
        "蘇映瀾",
        Some("Su Yinglan"),
        "Taiwan",
        Some(1979),
        &["novel"],
    ),
    (
        "顾望舟",
        Some("Gu Wangzhou"),
        "China",
        Some(1951),
        &["history", "travel"],
    ),
    (
        "은하별 담",
        Some("Dam Eunhabyeol"),
        "South Korea",
        Some(1987),
        &["science", "fantasy"],
    ),
    (
        "สายชล ดาวเรืองรอง",
        Some("Saichon Daoruangrong"),
        "Thailand",
        Some(1991),
        &["cookery"],
    ),
    (
        "ნინია მთვარიშვილი",
        Some("Ninia Mtvarishvili"),
        "Georgia",
        Some(1976),
        &["travel", "cookery"],
    ),
    (
        "Արփենիկ Լուսաբացյան",
        Some("Arpenik Lusabatsyan"),
        "Armenia",
        Some(1968),
        &["history"],
    ),
    (
        "ፀሐይነሽ ወርቅአለም",
        Some("Tsehaynesh Workalem"),
        "Ethiopia",
        Some(1980),
        &["novel", "children"],
    ),
    (
        "Siobhán Ní Fhaoláinn",
        None,
        "Ireland",
        Some(1959),
        &["poetry", "novel"],
    ),
    (
        "Tāwhirimātea Rangihau-Puke",
        None,
        "New Zealand",
        Some(1974),
        &["fantasy", "children"],
    ),
    (
        "Ximena Cuauhtli Robledo",
        None,
        "Mexico",
        Some(1986),
        &["crime"],
    ),
    (
        "Jarosław Węgielek",
        None,
        "Poland",
        Some(1944),
        &["science"],
    ),
    (
        "Bartolomeu Saudade Pinho",
        None,
        "Portugal",
        Some(1956),
        &["travel"],
    ),
    (
        "Ingeborg Sørhaugen",
        None,
        "Norway",
        Some(1963),
        &["crime", "travel"],
    ),
    (
        "Aleksi Järvenpolku",
        None,
        "Finland",
        Some(1998),
        &["science"],
    ),
    ("Gwenllian Rhos-y-Môr", None, "Wales", None, &["fantasy"]),
    ("Zsófia Hársfalvi", None, "Hungary", Some(1984), &["novel"]),
    (
        "Bořivoj Skřivánek",
        None,
        "Czechia",
        Some(1970),
        &["children", "science"],
    ),
    (
        "Ştefania Măgureanu",
        None,
        "Romania",
        Some(1982),
        &["crime"],
    ),
    (
        "Wanjirũ wa Kĩmathi-Ndũngi",
        None,
        "Kenya",
        Some(1989),
        &["history", "novel"],
    ),
    (
        "Sipho Mthunzimkhulu",
        None,
        "South Africa",
        Some(1977),
        &["crime", "history"],
    ),
    (
        "Mele Kaʻahumanu Pōʻai",
        None,
        "United States",
        Some(1992),
        &["poetry", "children"],
    ),
    (
        "Harriet Bellweather",
        None,
        "United Kingdom",
        Some(1953),
        &["crime", "cookery"],
    ),
    (
        "Thaddeus Quillfeather",
        None,
        "United States",
        Some(1961),
        &["science", "history"],
    ),
    (
        "Beatrix Oosterwolde",
        None,
        "Netherlands",
        Some(1973),
        &["cookery", "science"],
    ),
    (
        "Émile Vaucanson-Roy",
        None,
        "Canada",
        Some(1967),
        &["fantasy", "novel"],
    ),
    (
        "Giacomina Spadafiora",
        None,
        "Italy",
        Some(1947),
        &["cookery", "history"],
    ),
    ("Rasmus Fjordblad", None, "Denmark", None, &["children"]),
    (
        "Amalía Stjörnudóttir",
        None,
        "Iceland",
        Some(1996),
        &["poetry", "science"],
    ),
    (
        "Kwabena Osei-Frimpah",
        None,
        "Ghana",
        Some(1965),
        &["travel", "history"],
    ),
];

/// A genre: its name, patterns of titles with `{}` for a word, the words, subjects.
pub(super) type Genre = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

pub(super) const GENRES: [Genre; 9] = [
    (
        "crime",
        &[
            "Death at {}",
            "The {} Murders",
            "A Witness in {}",
            "Last Ferry from {}",
            "Nobody Left {}",
        ],
        &[
            "Gullhaven",
            "the Salt Works",
            "Number Nine Quay",
            "Ravenmoor",
            "the Glass Pier",
            "Hollow Bridge",
        ],
        &["detectives", "harbours", "secrets", "small towns"],
    ),
    (
        "novel",
        &[
            "The {} of My Mother",
            "What the {} Kept",
            "All Our {}",
            "A House Full of {}",
            "The Year of {}",
        ],
        &[
            "Orchards",
            "Letters",
            "Mirrors",
            "Borrowed Rooms",
            "Lemon Trees",
            "Unsent Maps",
        ],
        &["families", "migration", "memory", "cities"],
    ),
    (
        "fantasy",
        &[
            "The {} Crown",
            "Daughters of {}",
            "The Cartographer of {}",
            "Songs Against {}",
        ],
        &[
            "Ember",
            "Thornlight",
            "the Drowned Moon",
            "Winterglass",
            "the Ninth Gate",
            "Ash and Amber",
        ],
        &["dragons", "maps", "magic", "journeys"],
    ),
    (
        "science",
        &[
            "How {} Works",
            "The Secret Life of {}",
            "{}, Explained Slowly",
            "Questions about {}",
        ],
        &[
            "Moss",
            "Gravity",
            "Sleep",
            "Soil",
            "the Tide",
            "Small Numbers",
        ],
        &["physics", "biology", "mathematics", "ecology"],
    ),
    (
        "history",
        &[
            "A Short History of {}",
            "The Road to {}",
            "{} and Its Enemies",
            "Before {}",
        ],
        &[
            "Paper",
            "the Lighthouse",
            "Salt",
            "the Census",
            "Clocks",
            "the Postal Roads",
        ],
        &["trade", "empires", "everyday life", "inventions"],
    ),
    (
        "poetry",
        &["{}: Collected Poems", "Small Songs for {}", "Ode to {}"],
        &[
            "Rain",
            "the Kettle",
            "Migrating Birds",
            "an Empty Station",
            "Blue Hours",
            "Weeds",
        ],
        &["nature", "love", "exile", "seasons"],
    ),
    (
        "cookery",
        &[
            "The {} Kitchen",
            "{} for Beginners",
            "Cooking with {}",
            "Nothing but {}",
        ],
        &[
            "Saffron",
            "Lentils",
            "Smoke",
            "Wild Herbs",
            "Sourdough",
            "Market Day",
        ],
        &["vegetarian", "baking", "spices", "one pot"],
    ),
    (
        "travel",
        &[
            "Slow Trains to {}",
            "On Foot through {}",
            "A Winter in {}",
            "Postcards from {}",
        ],
        &[
            "the Caucasus",
            "Patagonia",
            "the Hebrides",
            "Luang Prabang",
            "the Atlas",
            "Tasmania",
        ],
        &["railways", "mountains", "islands", "walking"],
    ),
    (
        "children",
        &[
            "{} Goes to Sea",
            "Good Night, {}",
            "{} and the Wobbly Tooth",
            "Where Is {}?",
        ],
        &[
            "Pip the Otter",
            "Grandfather Badger",
            "Little Ogbo",
            "the Moon Snail",
            "Miss Fig",
            "Tuk-Tuk",
        ],
        &["animals", "bedtime", "friendship", "counting"],
    ),
];

/// Series that run through several books of a genre.
pub(super) const SERIES: [(&str, &str); 4] = [
    ("crime", "Gullhaven Mysteries"),
    ("fantasy", "The Amber Cycle"),
    ("children", "Pip the Otter"),
    ("science", "Explained Slowly"),
];

pub(super) const PUBLISHERS: [(&str, &str); 6] = [
    ("Lantern & Quay", "Hamburg"),
    ("Nachtfalter Verlag", "Wien"),
    ("Éditions du Pont Vert", "Lyon"),
    ("Three Herons Press", "Dublin"),
    ("Morgenröte", "Zürich"),
    ("Casa Ultramarina", "Porto"),
];

pub(super) const LANGUAGES: [&str; 8] = ["en", "en", "en", "de", "de", "fr", "es", "ja"];

/// A customer's first names, and family names, combined in turn.
pub(super) const FIRST_NAMES: [&str; 25] = [
    "Annika", "Béla", "Chidinma", "Dmytro", "Eilidh", "Farid", "Giulia", "Håkon", "İpek",
    "Joaquim", "Kateryna", "Leïla", "Mei-Ling", "Nikolaj", "Ólöf", "Priyanka", "Quentin",
    "Rosalía", "Şule", "Tomáš", "Ursula", "Violeta", "Wiktoria", "Yorgos", "Zoë",
];

pub(super) const FAMILY_NAMES: [&str; 20] = [
    "Ahrenholz",
    "Bjarkason",
    "Cordeiro-Vale",
    "Dąbrowiecki",
    "Ekwuemelu",
    "Fontanarosa",
    "Grünspecht",
    "Hashimoto-Ray",
    "Iturralde",
    "Jonkheer",
    "Kestrelman",
    "Lindqvistad",
    "Mukherjanee",
    "Nováčková",
    "O'Sharrigan",
    "Papadogeorgis",
    "Rozenblat",
    "Tchividjou",
    "Vânătoru",
    "Zieliński-Low",
];

/// Some customers whose names are in another script.
pub(super) const OTHER_NAMES: [&str; 10] = [
    "小泉 灯",
    "Зоряна Криничанська",
    "هالة المرجاني",
    "박새별",
    "アルマ・海老原",
    "Αριάδνη Θαλασσινού",
    "मीरा जलतरंगे",
    "אורי ים־סופי",
    "林清音",
    "ლევან ვაზიანი",
];

/// A city with a branch: its name, country, position, street of the branch.
pub(super) type City = (&'static str, &'static str, f64, f64, &'static str);

pub(super) const CITIES: [City; 8] = [
    ("Hamburg", "Germany", 9.9937, 53.5511, "Speicherkai"),
    ("Wien", "Austria", 16.3738, 48.2082, "Lesergasse"),
    ("Lyon", "France", 4.8357, 45.764, "Quai des Pages"),
    ("Dublin", "Ireland", -6.2603, 53.3498, "Inkwell Lane"),
    ("Zürich", "Switzerland", 8.5417, 47.3769, "Blattweg"),
    ("Porto", "Portugal", -8.6291, 41.1579, "Rua das Folhas"),
    ("Kraków", "Poland", 19.945, 50.0647, "ulica Papierowa"),
    ("København", "Denmark", 12.5683, 55.6761, "Bogstræde"),
];

/// What readers say, by stars.
pub(super) const OPINIONS: [&[&str]; 5] = [
    &[
        "Could not finish it.",
        "The plot is all knots and no thread.",
    ],
    &[
        "Promising start, then it loses its way.",
        "Not for me, but the cover is lovely.",
    ],
    &[
        "Good company for a train ride.",
        "Uneven, with two splendid chapters.",
        "Solid, if a little long.",
    ],
    &[
        "Clever and warm.",
        "I kept reading past midnight.",
        "Would gladly read more by this author.",
    ],
    &[
        "A book to give to everyone you like.",
        "Read it twice in a week.",
        "Best of the year for me.",
    ],
];

pub(super) const NOTES: [&str; 4] = [
    "You will love the ending.",
    "Made me think of you.",
    "Borrow mine if the shop is out.",
    "Skip the first chapter, then enjoy.",
];
