import Testing
@testable import Supervision
