import Wire

/// The pharmacy of document 003: its pages.
enum Pharmacy {
    static let page: JSONValue = [
        "name": "Paulsen's Pharmacy", "logo": "Paulsen's",
        "theme": ["paper": "#fdfcf7", "ink": "#14213d", "accent": "#9b1c31"],
        "welcome": "Good to see you. We fill prescriptions, and we know our neighbours by name.",
        "about": """
        A pharmacy of the neighbourhood, with a soda fountain.
        Ask us about medicines, deliveries and vaccinations.
        """,
        "address": "4246 NE Sandy Boulevard, Portland, Oregon", "phone": "+1 503 555 0112",
        "zone": "America/Los_Angeles",
        "hours": [
            ["day": 1, "opens": 540, "closes": 1080], ["day": 2, "opens": 540, "closes": 1080],
            ["day": 3, "opens": 540, "closes": 1080], ["day": 4, "opens": 540, "closes": 1080],
            ["day": 5, "opens": 540, "closes": 1080], ["day": 6, "opens": 600, "closes": 840]
        ],
        "events": [
            [
                "date": "1918-05-01", "name": "The doors open",
                "text": "A pharmacist rents a corner on Sandy Boulevard and mixes every medicine by hand."
            ],
            [
                "date": "1934-07-14", "name": "The soda fountain",
                "text": "A fountain with eight stools is put in. It still stands where it stood."
            ],
            [
                "date": "1975-03-03", "name": "The first delivery",
                "text": "Whoever cannot come gets medicines at home, first on a bicycle."
            ],
            [
                "date": "2016-11-12", "name": "An app of our own",
                "text": "Students of the university design an app for our customers: home, history, settings, about."
            ]
        ]
    ]
}
