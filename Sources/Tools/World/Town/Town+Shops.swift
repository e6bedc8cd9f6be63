import Primitives

extension Town {
    /// The thirty shops, on the streets of downtown Flagstaff. None of them exists.
    package static let shops: [Shop] = [
        Shop(
            "aspen.roasters", "Aspen Roasters", "12 E Aspen Avenue", ["coffee"], at: (35_198_430, -111_649_010),
            sells: [Good("Drip coffee", 325), Good("Flat white", 450), Good("Cinnamon roll", 425)],
            offers: [.coupon(50, "Half a flat white", "From three to five in the afternoon, any size.")]),
        Shop(
            "leroux.bakery", "Leroux Street Bakery", "7 N Leroux Street", ["food", "coffee"],
            at: (35_197_960, -111_649_620),
            sells: [Good("Sourdough loaf", 750), Good("Two croissants", 640), Good("Apple turnover", 380)],
            offers: [.coupon(20, "Yesterday's bread", "A fifth off every loaf before nine in the morning.")]),
        Shop(
            "pine.country.grill", "Pine Country Grill", "103 N San Francisco Street", ["food"],
            at: (35_199_120, -111_648_220),
            sells: [Good("Green chile burger", 1_290), Good("Trout plate", 1_650), Good("Slice of pie", 595)],
            offers: [.coupon(25, "Weekday lunch", "A quarter off lunch, Monday to Thursday.")]),
        Shop(
            "tortilla.lane", "Tortilla Lane", "19 W Route 66", ["food"], at: (35_197_210, -111_650_480),
            sells: [Good("Breakfast burrito", 890), Good("Three street tacos", 975), Good("Horchata", 350)],
            offers: [.coupon(15, "Taco Tuesday", "Fifteen percent off tacos, all week to be fair.")]),
        Shop(
            "beaver.street.books", "Beaver Street Books", "28 N Beaver Street", ["books"],
            at: (35_198_600, -111_650_730),
            sells: [Good("Used paperback", 700), Good("Field guide to birds", 1_895), Good("Notebook", 550)],
            offers: [
                .coupon(10, "Readers' tenth", "Ten percent off every used book."),
                .ad("Poetry on Friday", "Local poets read at seven. Tea is on us.")
            ]),
        Shop(
            "peak.outfitters", "Peak Outfitters", "14 N San Francisco Street", ["sports", "fashion"],
            at: (35_198_240, -111_648_320),
            sells: [Good("Wool socks", 1_450), Good("Trail map", 1_200), Good("Water bottle", 1_800)],
            offers: [.coupon(20, "Ready for the trail", "A fifth off maps and bottles.")]),
        Shop(
            "birch.pharmacy", "Birch Avenue Pharmacy", "101 W Birch Avenue", ["pharmacy", "beauty"],
            at: (35_199_350, -111_651_620),
            sells: [Good("Cough drops", 425), Good("Sunscreen", 1_150), Good("Hand cream", 690)],
            offers: [.ad("Flu shots", "No appointment, until six in the evening.")]),
        Shop(
            "corner.market", "Humphreys Corner Market", "201 N Humphreys Street", ["groceries"],
            at: (35_199_980, -111_652_690),
            sells: [Good("Milk and eggs", 785), Good("Basket of peaches", 640), Good("Sandwich", 720)],
            offers: [.coupon(10, "Saturday basket", "Ten percent off fruit and vegetables.")]),
        Shop(
            "cherry.cycles", "Cherry Avenue Cycles", "15 W Cherry Avenue", ["sports", "services"],
            at: (35_200_300, -111_650_360),
            sells: [Good("Inner tube", 895), Good("Brake pads", 1_650), Good("Tune-up deposit", 2_000)],
            offers: [.coupon(15, "Spring tune-up", "Fifteen percent off parts with every tune-up.")]),
        Shop(
            "route66.diner", "Route 66 Diner", "58 E Route 66", ["food", "coffee"], at: (35_197_430, -111_647_570),
            sells: [Good("Two eggs any style", 940), Good("Blueberry pancakes", 1_050), Good("Milkshake", 625)],
            offers: [.coupon(20, "Early bird", "A fifth off breakfast before eight.")]),
        Shop(
            "dale.flowers", "Dale Avenue Flowers", "8 E Dale Avenue", ["home", "other"], at: (35_201_240, -111_649_100),
            sells: [Good("Bunch of tulips", 1_200), Good("Potted herb", 650), Good("Table bouquet", 2_200)],
            offers: [.coupon(25, "Late tulips", "A quarter off after four in the afternoon.")]),
        Shop(
            "phoenix.records", "Phoenix Avenue Records", "22 W Phoenix Avenue", ["electronics", "other"],
            at: (35_195_930, -111_650_200),
            sells: [Good("Used LP", 1_100), Good("New single", 900), Good("Record sleeves", 550)],
            offers: [.ad("Listening night", "Bring a record, Thursdays at eight.")]),
        Shop(
            "mikes.pike.pizza", "Mikes Pike Pizza", "212 S Mikes Pike Street", ["food"], at: (35_195_160, -111_652_080),
            sells: [Good("Slice of the day", 475), Good("Small margherita", 1_150), Good("Garden salad", 825)],
            offers: [.coupon(30, "Student slice", "Thirty percent off slices after nine at night.")]),
        Shop(
            "elm.hardware", "Elm Avenue Hardware", "3 W Elm Avenue", ["home"], at: (35_202_140, -111_650_040),
            sells: [Good("Box of screws", 480), Good("Paint brush", 725), Good("Light bulbs", 1_090)],
            offers: [.coupon(10, "Fix it yourself", "Ten percent off tools and paint.")]),
        Shop(
            "agassiz.tailor", "Agassiz Tailor", "33 N Agassiz Street", ["fashion", "services"],
            at: (35_198_720, -111_646_930),
            sells: [Good("Hem", 1_500), Good("Button replaced", 400), Good("Patch", 850)],
            offers: [.ad("While you wait", "Hems on weekday mornings, ready in twenty minutes.")]),
        Shop(
            "snowbowl.skates", "Snowbowl Skates", "40 S San Francisco Street", ["sports", "fashion"],
            at: (35_196_560, -111_648_760),
            sells: [Good("Grip tape", 950), Good("Knit hat", 2_200), Good("Sticker pack", 500)],
            offers: [.coupon(15, "First deck", "Fifteen percent off your first set of parts.")]),
        Shop(
            "juniper.tea", "Juniper Tea Room", "17 N Leroux Street", ["coffee", "food"], at: (35_198_900, -111_649_480),
            sells: [Good("Pot of oolong", 575), Good("Scone with jam", 495), Good("Iced jasmine tea", 425)],
            offers: [.coupon(50, "A pot for two", "The second pot at half price.")]),
        Shop(
            "san.francisco.optics", "San Francisco Street Optics", "120 N San Francisco Street",
            ["services", "other"], at: (35_199_630, -111_648_080),
            sells: [Good("Lens cloth", 600), Good("Glasses case", 1_400), Good("Frame adjustment", 500)],
            offers: [.ad("Free adjustment", "Any frame, from anywhere, on Wednesdays.")]),
        Shop(
            "heritage.ice.cream", "Heritage Square Ice Cream", "6 E Aspen Avenue", ["food"],
            at: (35_198_280, -111_649_350),
            sells: [Good("One scoop", 395), Good("Two scoops", 595), Good("Root beer float", 650)],
            offers: [.coupon(33, "Third scoop", "A third off when the sun is out.")]),
        Shop(
            "benton.laundry", "Benton Avenue Laundry", "110 W Benton Avenue", ["services"],
            at: (35_194_730, -111_651_390),
            sells: [Good("Wash and fold", 1_800), Good("Dryer, half an hour", 300), Good("Soap", 250)],
            offers: [.coupon(20, "Quiet Monday", "A fifth off wash and fold on Mondays.")]),
        Shop(
            "verde.plants", "Verde Street Plants", "9 S Verde Street", ["home"], at: (35_197_020, -111_645_960),
            sells: [Good("Small cactus", 850), Good("Bag of soil", 975), Good("Clay pot", 1_250)],
            offers: [.coupon(15, "Two of a kind", "Fifteen percent off when you take two.")]),
        Shop(
            "park.street.toys", "Park Street Toys", "14 N Park Street", ["other"], at: (35_198_510, -111_654_180),
            sells: [Good("Wooden train", 1_900), Good("Card game", 1_350), Good("Kite", 1_650)],
            offers: [.coupon(10, "Birthday shelf", "Ten percent off the week of your birthday.")]),
        Shop(
            "observatory.espresso", "Observatory Espresso", "44 W Birch Avenue", ["coffee"],
            at: (35_199_250, -111_650_560),
            sells: [Good("Double espresso", 350), Good("Cortado", 425), Good("Almond biscotti", 275)],
            offers: [.coupon(40, "Star hours", "Forty percent off after dark.")]),
        Shop(
            "lumberyard.barber", "Lumberyard Barber", "5 S San Francisco Street", ["beauty", "services"],
            at: (35_197_010, -111_648_610),
            sells: [Good("Beard trim", 1_500), Good("Pomade", 1_700), Good("Comb", 600)],
            offers: [.ad("Walk-ins welcome", "No waiting before ten on weekdays.")]),
        Shop(
            "clay.and.kiln", "Clay and Kiln", "27 E Birch Avenue", ["home", "other"], at: (35_199_460, -111_648_700),
            sells: [Good("Coffee mug", 1_950), Good("Soap dish", 1_400), Good("Open studio hour", 1_200)],
            offers: [.coupon(20, "Seconds shelf", "A fifth off pieces with character.")]),
        Shop(
            "summit.electronics", "Summit Electronics", "71 W Route 66", ["electronics"],
            at: (35_197_540, -111_652_470),
            sells: [Good("Charging cable", 1_250), Good("Headphone adapter", 990), Good("Batteries", 780)],
            offers: [.coupon(15, "Cable drawer", "Fifteen percent off all cables.")]),
        Shop(
            "sitgreaves.fruit", "Sitgreaves Fruit Stand", "2 N Sitgreaves Street", ["groceries", "food"],
            at: (35_198_130, -111_653_420),
            sells: [Good("Bag of apples", 550), Good("Fresh juice", 625), Good("Honey", 1_100)],
            offers: [.coupon(25, "Last hour", "A quarter off whatever is left at five.")]),
        Shop(
            "wheeler.print", "Wheeler Print Shop", "31 S Beaver Street", ["services", "books"],
            at: (35_196_380, -111_651_310),
            sells: [Good("Fifty copies", 600), Good("Poster print", 1_500), Good("Binding", 450)],
            offers: [.ad("Thesis week", "Bound by the next morning, until the end of term.")]),
        Shop(
            "cottonwood.yarn", "Cottonwood Yarn", "18 W Dale Avenue", ["fashion", "home"],
            at: (35_201_060, -111_650_620),
            sells: [Good("Skein of wool", 1_350), Good("Needles", 900), Good("Pattern", 600)],
            offers: [.coupon(20, "Knitting circle", "A fifth off during the circle, Sundays at two.")]),
        Shop(
            "orpheum.snacks", "Orpheum Snack Bar", "13 W Aspen Avenue", ["food"], at: (35_198_360, -111_650_260),
            sells: [Good("Popcorn", 475), Good("Lemonade", 375), Good("Pretzel", 550)],
            offers: [.coupon(10, "Matinee", "Ten percent off before five.")])
    ]
}
