/// What each service is for, and for whom it answers when an ask has an `actor`. Anybody else gets `bus.forbidden`.
enum ServiceAccounts {
    static let text = [
        "auth": """
        Accounts, passwords, PINs and sessions. With an `actor`: a profile is read and changed by its account; \
        merchants are listed and decided on by administrators. An administrator can be registered, listed, given another \
        password and removed, `approved` be given, and a letter be read and confirmed, only without an `actor`.
        """,
        "broker": """
        The broker answers these itself, as a worker on its own bus: for operators. It cannot be replaced by \
        registering under its name.
        """,
        "gateway": """
        Serves HTTP. On the bus it answers for itself only: its figures, and what it remembers of requests.
        """,
        "location": """
        Where customers were last, merchants' places, and who is near. With an `actor`: a merchant asks what names it \
        as `merchant`, also where the ask names a customer besides (`location.presence.prove.v1`); a customer \
        everything else, of itself, in each fix of many; an administrator the facts.
        """,
        "notifications": """
        Inboxes, and what leaves the house: pushes, web hooks, mail. With an `actor`: a customer or merchant what names \
        them as `account`, but no messages, letters and deliveries; an administrator these, dead letters and the facts.
        """,
        "offers": """
        Ads and coupons: who wrote them, whom they are for, what was used. With an `actor`: explanations and decisions \
        are for administrators, an offer and the count of its audience for its merchant and administrators, the rest \
        for the `customer` that the ask names, or for the `merchant` where it names no customer. \
        `offers.coupon.reserve.v1` is for services: with an `actor` it is refused.
        """,
        "payments": """
        The life of charges, pay codes and receipts. Money moves in `wallet` only. With an `actor`: the `customer` pays, \
        approves and declines, the `merchant` requests, redeems, cancels and refunds, the `party` reads.
        """,
        "wallet": """
        Cards and the ledger: the only place where money moves. All keys of its asks share one space. With an `actor`: \
        a customer what names them as `customer`, `from` or `holder`; a merchant capture and void of their holds, \
        refunds, transfers from themselves, their account and its entries; an administrator merchants' accounts, the \
        ledger, its verification and the facts. For someone else's card: `wallet.card_not_found`.
        """
    ]
}
