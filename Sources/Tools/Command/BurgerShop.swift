import Primitives
import Wire

/// The burger shop of document 002, with the prices that the document has and those that it leaves open.
enum BurgerShop {
    /// Of a burger with beef and pickles in the USA: 5 × 1.7 + 0.7.
    static let price = Money(920)

    static let menu: JSONValue = [
        "title": ["en": "Burger Shop"], "item": ["en": "Burger"],
        "baseTitle": ["en": "Select the Patty", "de": "Wählen Sie den Patty"],
        "baseName": ["en": "Patty Selection", "de": "Patty-Auswahl"],
        "extrasTitle": ["en": "Select the Ingredients", "de": "Wählen Sie die Zutaten"],
        "countries": [
            ["key": "us", "name": ["en": "USA"], "currency": "USD", "factorPercent": 170],
            ["key": "ch", "name": ["en": "Switzerland", "de": "Schweiz"], "currency": "CHF", "factorPercent": 100]
        ],
        "bases": [
            ["key": "beef", "name": ["en": "Beef", "de": "Rindfleisch"], "price": 500],
            ["key": "vegetarian", "name": ["en": "Vegetarian", "de": "Vegetarisch"], "price": 450]
        ],
        "extras": [
            ["key": "pickles", "name": ["en": "Pickles", "de": "Essiggurken"], "price": 70],
            ["key": "lettuce", "name": ["en": "Lettuce", "de": "Salat"], "price": 50],
            ["key": "tomato", "name": ["en": "Tomato", "de": "Tomate"], "price": 50],
            ["key": "onion", "name": ["en": "Onion", "de": "Zwiebel"], "price": 50],
            ["key": "cheese", "name": ["en": "Cheese", "de": "Käse"], "price": 100],
            ["key": "bacon", "name": ["en": "Bacon", "de": "Speck"], "price": 120]
        ]
    ]
}
