/// Bodies of registrations, with all that they must have.
enum FormBody {
    static func customer(_ username: String, _ password: String = "correct horse") -> String {
        #"{"username":"\#(username)","password":"\#(password)","confirmPassword":"\#(password)","#
            + #""email":"ada@example.com","birthdate":"1990-05-17","student":false}"#
    }

    /// - Parameter more: further fields, as JSON.
    static func merchant(
        _ username: String, _ password: String = "correct horse", latitude: Int = 35_198_284, more: String? = nil
    ) -> String {
        #"{"username":"\#(username)","password":"\#(password)","confirmPassword":"\#(password)","#
            + #""email":"shop@example.com","address":"1 Aspen Avenue","productTypes":["coffee"],"#
            + #""latitude":\#(latitude),"longitude":-111651302\#(more.map { "," + $0 } ?? "")}"#
    }
}
