import COpenSSL
import ZMTP

/// Whom a process trusts, and how it shows who it is: what all its encrypted connections have in common.
final class NATSTrust {
    fileprivate let context: OpaquePointer

    /// - Throws: ``NATSError`` for files that cannot be used.
    init(_ access: NATSAccess) throws(NATSError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw NATSError("no memory for TLS") }
        self.context = context
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard billfold_tls12_or_later(context) == 1 else { throw NATSError("TLS 1.2 cannot be asked for") }
        if let file = access.authorityFile {
            guard SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
                throw NATSError("certificates in \(file): \(NATSCipher.reason())")
            }
        } else {
            SSL_CTX_set_default_verify_paths(context)
        }
        if let certificate = access.certificateFile {
            let key = access.keyFile ?? certificate
            guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
                SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
                SSL_CTX_check_private_key(context) == 1
            else { throw NATSError("certificate \(certificate), key \(key): \(NATSCipher.reason())") }
        }
    }

    deinit { SSL_CTX_free(context) }
}

/// One connection's TLS, without a socket: what came in and what is to go out pass through it.
final class NATSCipher {
    /// Read at a time: a record's text is no longer.
    private static let recordBytes = 16 << 10

    private let tls: OpaquePointer
    /// The ciphers that came, and those that are to go out; owned by `tls`.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let host: String
    private(set) var isReady = false
    /// Whether the server has said that nothing more comes.
    private(set) var isEnded = false

    /// - Parameter host: a name or an address, which the server's certificate has to have.
    init(_ trust: NATSTrust, host: String) throws(NATSFault) {
        guard let tls = SSL_new(trust.context) else { throw .lost("no memory for TLS") }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(tls)
            throw .lost("no memory for TLS")
        }
        (self.tls, self.incoming, self.outgoing, self.host) = (tls, incoming, outgoing, host)
        SSL_set_bio(tls, incoming, outgoing)
        SSL_set_connect_state(tls)
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host) == 1
        guard isAddress || (SSL_set1_host(tls, host) == 1 && billfold_want_server(tls, host) == 1) else {
            throw .refused("\(host) is no name that a certificate can have")
        }
        try shakeHands()
    }

    deinit { SSL_free(tls) }

    /// Takes ciphers that came in, and adds their text to `input`.
    func open(_ ciphers: UnsafeRawBufferPointer, into input: ByteQueue) throws(NATSFault) {
        guard BIO_write(incoming, ciphers.baseAddress, Int32(ciphers.count)) == ciphers.count else {
            throw .lost("no memory for TLS")
        }
        if !isReady { try shakeHands() }
        while isReady, !isEnded {
            let room = input.room(atLeast: Self.recordBytes)
            ERR_clear_error()
            let count = SSL_read(tls, room.baseAddress, Int32(clamping: room.count))
            guard count > 0 else { return try settle(count) }
            input.extend(by: Int(count))
        }
    }

    /// Takes text, all of it.
    func seal(_ text: UnsafeRawBufferPointer) throws(NATSFault) {
        ERR_clear_error()
        let count = SSL_write(tls, text.baseAddress, Int32(text.count))
        if count != text.count { throw .lost("TLS: \(Self.reason())") }
    }

    /// Moves the ciphers that are to go out.
    func empty(into output: ByteQueue) {
        while BIO_ctrl_pending(outgoing) > 0 {
            let room = output.room(atLeast: Self.recordBytes)
            let count = BIO_read(outgoing, room.baseAddress, Int32(clamping: room.count))
            guard count > 0 else { return }
            output.extend(by: Int(count))
        }
    }

    private func shakeHands() throws(NATSFault) {
        ERR_clear_error()
        let done = SSL_do_handshake(tls)
        if done == 1 { isReady = true } else { try settle(done) }
    }

    private func settle(_ result: Int32) throws(NATSFault) {
        switch SSL_get_error(tls, result) {
        case SSL_ERROR_WANT_READ: return
        case SSL_ERROR_ZERO_RETURN: isEnded = true
        default:
            let verdict = SSL_get_verify_result(tls)
            guard verdict == Int(X509_V_OK) else {
                let reason = String(cString: X509_verify_cert_error_string(verdict))
                throw .refused("the certificate of \(host) is not trusted: \(reason)")
            }
            throw .refused("TLS: \(Self.reason())")
        }
    }

    /// OpenSSL's word for what went wrong last.
    fileprivate static func reason() -> String {
        ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "it ended"
    }
}
