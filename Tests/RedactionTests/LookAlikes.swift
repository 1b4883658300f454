// SPDX-License-Identifier: Apache-2.0

/// Lines without secrets that look as if they had some.
enum LookAlikes {
  private static let hex = "3f786850e387550fdab836ed7e6dc881de23001b"
  private static let uuid = "4f2c9a10-5b7e-4d21-9c33-0f6b8e7a1d42"

  /// What programs write in the place of T.
  private static let frames: [String] = [
    "T", "at=info x=T", "{\"x\":\"T\"}", "value T seen", "(T)", "x: T, y: 2",
    "{&quot;x&quot;:&quot;T&quot;}", "{\\\"x\\\":\\\"T\\\"}", "\u{1b}[36mx\u{1b}[0m=T",
  ]
  private static let values: [String] = [
    hex, uuid, "sha256:" + String(hex.prefix(24)), "1.2.3-beta.4+build.5", "v2.31.0",
    "2026-11-30T10:32:59.123456789Z", "1740844800500000000", "4111111111111112",
    "1234567890123456", "0x7f3a2b1c4d5e", "lodash@4.17.21", "icon@2x.png", "@mention",
    "192.0.2.17", "db1.internal:5432", "00:1b:44:11:3a:b7", "2001:db8::17", "+49 30 1234567",
    "https://example.org/path?x=1&limit=5", "ssh://git@example.org/repo", "main.swift:42:17",
    "/usr/lib/x86_64-linux-gnu/libc.so.6", "/var/log/app.log", "com.example.app.Token",
    "TokenBucketLimiter", "passwordPolicy", "AKIAS", "eyJoking", "Foo@1a2b3c", "50%", "a=b",
    "00000000-0000-0000-0000-000000000000", "getty@tty1.service", "3.14159265358979",
    "git@github.com:owner/repo.git", "SECRETARY", "monkey=banana", "keyboard=de",
    "token_type=Bearer", "max_tokens=4096", "tokens_used=118", "password_length=12",
    "passwordExpired=false", "secretName=db-creds", "key=value", "id=42", "code=404",
    "session=started", "api_version=2", "primary_key=id", "author=kim", "public_key=abc",
    "sort_key=name", "prompt_tokens=5", "auth_type=none", "pass_count=3", "PWD=/srv/app",
    "has_password=true", "trace_id=0af7651916cd43dd8448eb211c80319c", "key_id=7", "sk-learn",
    "npm_config_cache=/x", "hf_hub", "--retry 3", "q=hello%20world", "a%2Fb", "&#8217;", "\\u00e9",
    "kim@localhost", "@objc func x()", "node@sha256:0123456789abcdef", "/users/17/orders",
  ]
  private static let sentences: [String] = [
    "password reset requested by kim", "tokens per second: 118", "cookie banner shown",
    "time 12:30:59 user:kim role:admin", "the token has expired", "unexpected token: }",
    "secret santa is on friday", "no password given", "invalid password: too short",
    "authorization: denied", "basic authentication is off", "the bearer of bad news",
    "Token bucket is empty", "password: required", "token: null", "{\"password\":null}",
    "{\"token\":\"\"}", "{\"password\":\"***\"}", "password=[REDACTED]", "passwd file was read",
    "GET /home/start HTTP/1.1", "https://example.org/home/start", "forgot password? click here",
    "key: value", "keys: 12", "sort key: name", "foreign key: id", "private keys: 3",
    "apiKey is missing", "Secret::new()", "if (token == other) return", "let us talk",
    "-----BEGIN CERTIFICATE-----", "--token is required", "see --password-file",
    "the API key was rotated", "12 of 4111 requests", "1111 2222 3333 4444 5555 6666",
    "access keys rotated: 2", "retry in 5s: session closed", "level=info msg=\"token refreshed\"",
    "cookies: 5", "invalid cookie: not found", "email sent", "mail@", "a @ b.org", "user@localhost",
    "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON", "unexpected token \"EOF\"",
    "Accepted password for kim from 192.0.2.1 port 22 ssh2", "pass: 118, fail: 3",
    "password authentication failed for user \"kim\"", "Failed password for root",
    "duplicate key value violates unique constraint \"users_pkey\"", "invalid CSRF token",
    "self.password = password", "let token = next()", "password: String?", "password=${NAME}",
    "token=%s", "password={{ vault }}", "required: [\"password\",\"token\"]", "IN ('a', 'b')",
    "SELECT password FROM users", "password VARCHAR(60)", "WWW-Authenticate: Basic realm=\"x\"",
    "Bearer error=\"invalid_token\"", "ssh -p 22 host", "docker run -u 1000:1000 image",
    "mysql -u root -p", "curl -u kim x", "tool --no-password x", "chpasswd: done", "PASS a.test.js",
    "{\"name\":\"order\",\"value\":\"12\"}", "<key>name</key><string>x</string>", "<password/>",
    "{\"usage\":{\"prompt_tokens\":12,\"total_tokens\":19}}", "pwd: /srv/app", "/etc/passwd",
  ]

  private static let framed: [String] = values.flatMap { value -> [String] in
    frames.map { $0.replacing("T", with: value) }
  }
  static let all: [String] = framed + sentences
}
