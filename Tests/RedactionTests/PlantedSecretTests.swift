// SPDX-License-Identifier: Apache-2.0

internal import Redaction
internal import Testing

/// Secrets planted in lines of logs, in the encodings in which logs have them.
///
/// All values are made up, and put together here so that no scanner takes this file for a leak.
enum Planted {
  static let hex = "0a1b2c3d4e5f60718293"
  static let mixed = "Zq7Kd2Lm9Xp4Rt6Wv8Bn3"

  struct Case: CustomTestStringConvertible {
    let text: String
    let secret: String
    var testDescription: String { text }
  }

  /// Keys that name a secret, as programs write them.
  static let keys = [
    "password", "passwd", "Password", "DB_PASSWORD", "db.password", "blogPassword", "user_password",
    "secret", "client_secret", "clientSecret", "client-secret", "api_key", "apiKey", "API_KEY",
    "x-api-key", "apikey", "token", "access_token", "accessToken", "refreshToken", "auth_token",
    "X-Auth-Token", "private_key", "secretKey", "AWS_SECRET_ACCESS_KEY", "session_id", "sessionId",
    "passphrase", "credentials", "id_token", "csrf_token", "encryption_key", "signingKey",
    "password_confirmation", "new_password", "SecretString", "SECRET_KEY_BASE", "PGPASSWORD",
    "spring.datasource.password", "service_role_key", "MYSQL_PWD", "passcode",
  ]
  /// How a key and its value stand in a line; K and V are replaced.
  static let notations = [
    "at=info K=V status=200", "at=info K=\"V\" x=1", "{\"a\":1,\"K\":\"V\",\"b\":[2]}",
    "{\"a\": {\"b\": [{\"K\": \"V\"}]}}", "body: {\\\"K\\\":\\\"V\\\",\\\"n\\\":1} sent",
    "{'K': 'V', 'n': 1}", "GET /v1/x?K=V&page=2 HTTP/1.1", "K: V",
    "m {\\\\\\\"K\\\\\\\": \\\\\\\"V\\\\\\\"}", "x=\u{1b}[36mK\u{1b}[0m=\u{1b}[33mV\u{1b}[0m",
    // Of HTML, of URLs, and of nginx's own logs.
    "{&quot;K&quot;: &quot;V&quot;}", "{&#34;K&#34;:&#x22;V&#x22;}", "<p>K&#x3D;V&amp;n&#61;2</p>",
    "href=\"/x?a=1&amp;K=V&amp;b=2\"", "&lt;K&gt;V&lt;/K&gt;", "%7B%22K%22%3A%20%22V%22%7D",
    "body=K%3DV%26page%3D2", "body=K%253DV%2526page%253D2", "{\\x22K\\x22:\\x22V\\x22}",
    "{\\u0022K\\u0022: \\u0022V\\u0022}", "/x?a=1\\u0026K\\u003dV\\u0026b=2",
    // As languages print what they hold.
    "[\"K\": \"V\", \"n\": \"1\"]", "[\"K\": Optional(\"V\")]",
    "[AnyHashable(\"K\"): \"V\", \"n\": 1]",
    "User(name: \"x\", K: Optional(\"V\"))", "let K: String? = \"V\"", "{ K = V; n = 1; }",
    "Config { K: Some(\"V\"), n: 1 }", "[('K', 'V'), ('n', '1')]", "{:K=>\"V\", :n=>1}", "[K] => V",
    "[\"K\"]=> string(9) \"V\"", "map[K:V n:1]", "{User:x K:V N:1}", "Config[user=x, K=V, n=1]",
    "{ K: 'V', n: 1 }", "K := \"V\"",
    // Of configurations and command lines.
    "  K: \"V\"", "  K: |\n    V", "K = \"V\"", "export K='V'", "-DK=V -jar x.jar", "tool --K V -v",
    "[\"tool\", \"--K\", \"V\"]", "- name: K\n  value: V", "{\"name\": \"K\", \"value\": \"V\"}",
    "<add key=\"K\" value=\"V\"/>", "<key>K</key><string>V</string>", "<K type=\"x\">V</K>",
    "<K><![CDATA[V]]></K>", "Server=db;K=V;Database=x", "a\\r\\nK: V\\r\\nHost: x",
  ]

  static let keyed: [Case] = keys.flatMap { key -> [Case] in
    notations.map { notation -> Case in
      Case(
        text: notation.replacing("K", with: key).replacing("V", with: mixed), secret: mixed)
    }
  }

  /// Values with what ends a careless search.
  static let values = [
    "with blank inside", "semi;colon", "com,ma", "am&per", "hash#tag", "eq=ual", "at@sign",
    "br}ace",
    "par)en", "sla/sh", "que?stion", "dol$lar", "per%cent", "plus+plus", "co:lon", "ti'ck",
  ]
  static let quoted: [Case] = values.flatMap { value -> [Case] in
    let secret = "Zq7" + value + "Wv8"
    return [
      Case(text: "cfg password=\"\(secret)\" end", secret: secret),
      Case(text: "{\"password\":\"\(secret)\"}", secret: secret),
      Case(text: "{\\\"password\\\":\\\"\(secret)\\\"}", secret: secret),
    ]
  }
  static let bare: [Case] = values.filter { !$0.contains(" ") }.map {
    Case(text: "env DB_PASSWORD=Zq7\($0)Wv8 PATH=/bin", secret: "Zq7\($0)Wv8")
  }

  private static let jwt =
    "eyJhbGciOiJI" + "UzI1NiJ9.eyJzdWIiOiJraW0ifQ." + mixed + mixed
  private static let begin = "-----BEGIN "
  private static let shapes: [String] = [
    jwt, "AKIA" + "CASE53EXAMPLE0AB", "ASIA" + "CASE53EXAMPLE0AB",
    "AIza" + mixed + "abcdefghij1234",
    "ya29." + mixed, "GOCSPX-" + mixed, "ghp_" + mixed + mixed, "gho_" + mixed, "ghs_" + mixed,
    "github_pat_" + mixed, "glpat-" + mixed, "xoxb-123-" + mixed, "xoxp-" + mixed,
    "sk_live_" + mixed, "rk_test_" + mixed, "whsec_" + mixed, "npm_" + mixed + mixed,
    "hf_" + mixed + mixed, "dop_v1_" + hex + hex, "shpat_" + hex + hex, "SG." + mixed + "." + mixed,
    "hvs." + mixed, "sk-ant-api03-" + mixed, "sk-proj-" + mixed, "sk-" + mixed + mixed,
    "pypi-AgEI" + mixed + mixed, "kim.doe@example.org", "kim+x@mail.example.co.uk",
    "4111" + "111111111111", "4111 1111 " + "1111 1111", "5555-5555-" + "5555-4444",
    "3782" + "822463" + "10005", "DE89" + "370400440532013000", "GB82 WEST " + "1234 5698 7654 32",
    "FR14" + "20041010050500013M02606", "glsa_" + mixed + mixed, "glagent-" + mixed,
    "shpca_" + hex + hex, "xai-" + mixed + mixed, "key-" + "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "123456789:AA" + mixed + "Qr9St0Uv1Wx2", "ATCTT3" + mixed + mixed,
  ]
  static let shaped: [Case] = shapes.flatMap { secret -> [Case] in
    [
      Case(text: "found \(secret) in it", secret: secret), Case(text: secret, secret: secret),
      Case(text: "{\"x\":\"\(secret)\"}", secret: secret),
      Case(text: "{\\\"x\\\":\\\"a\\n\(secret)\\\"}", secret: secret),
      Case(text: "x=\(secret), y=2", secret: secret), Case(text: "(\(secret))", secret: secret),
      Case(text: "x&#x3D;\(secret)&amp;y", secret: secret),
      Case(text: "\u{1b}[33m\(secret)\u{1b}[0m", secret: secret),
      Case(text: "%22x%22%3A%22\(secret)%22", secret: secret),
      Case(text: "<x>\(secret)</x>|\(secret)|\n\(secret)\n", secret: secret),
    ]
  }

  private static let lines: [String] = [
    "> Authorization: Bearer §", "Authorization: Token §", "authorization=§",
    "{\"Authorization\": \"Bearer §\"}", "{\"headers\":{\"Cookie\":\"a=b; sid=§\"}}",
    "> Proxy-Authorization: Basic §==", "< Set-Cookie: sid=§; Path=/",
    "Cookie: a=1; b=§", "curl -H 'Cookie: sid=§' https://x.example",
    "curl -H \"X-Api-Key: §\" https://x.example", "tool --token § -v",
    "tool --password=§ -v", "[\"tool\", \"--api-key\", \"§\"]",
    "postgres://kim:§@db.example/app", "mongodb+srv://kim:§@db.example",
    "redis://:§@cache:6379/0", "url=https%3A%2F%2Fx.example%3Ftoken%3D§%26a%3D1",
    "password%3D§%26page%3D2", "%7B%22password%22%3A%22§%22%7D",
    "Server=db;Password=§;Database=x", "AccountKey=§;EndpointSuffix=x",
    "<password>§</password>", "<ns:token>§</ns:token>", "Password : §",
    "{:password=>\"§\"}", "password = '§'", "API key: §",
    "https://x.example/f?sig=§&se=1", "https://x.example/?X-Amz-Signature=§",
    "user[password]=§", "open /home/§/notes", "/Users/§/Library/x",
    "C:\\Users\\§\\AppData", "mailto:kim%40§.example.org", "Bearer §",
    begin + "PRIVATE KEY-----\n§\n§\n-----END " + "PRIVATE KEY-----",
    begin + "OPENSSH " + "PRIVATE KEY-----\\n§\\n-----END OPENSSH " + "PRIVATE KEY-----",
    begin + "PGP " + "PRIVATE KEY BLOCK-----\n§",
    begin + "RSA " + "PRIVATE KEY-----\\\\n§\\\\n-----END RSA " + "PRIVATE KEY-----",
    "---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\n§\n---- END SSH2 ENCRYPTED "
      + "PRIVATE KEY ----",
    "POST https://hooks.slack.com/services/T01/B02/§", "https://discord.com/api/webhooks/42/§",
    "map[Authorization:[Bearer §] Host:[x]]", "map[Cookie:[sid=§] Host:[x]]",
    "('Authorization', 'Bearer §')", "{'Authorization': b'Bearer §'}", "HTTP_COOKIE=sid=§",
    "{&quot;Authorization&quot;:&quot;Bearer §&quot;}", "Authorization%3A%20Bearer%20§",
    "mysql -u root -p§ app", "curl -u kim:§ https://x.example", "curl --user kim:§ https://x",
    "sshpass -p '§' ssh host", "redis-cli -a § ping", "docker login -u kim -p § registry",
    "tool -password §", "ALTER USER kim WITH PASSWORD '§'", "CREATE USER kim IDENTIFIED BY '§'",
    "▿ password: Optional(\"§\")\n    - some: \"§\"", "<password value=\"§\"/>",
    "host=h user=kim password='§' dbname=x", "jdbc:mysql://h/db?user=kim&password=§",
    "postgres%3A%2F%2Fkim%3A§%40db%2Fapp", "\\/home\\/§\\/x", "-I/home/§/include",
    "/mnt/c/Users/§/x", "c:/users/§/x", "passwords=[\"§\",\"x\"]",
  ]
  static let others: [Case] = lines.map { line -> Case in
    Case(text: line.replacing("§", with: mixed), secret: mixed)
  }

  static let all: [Case] = [keyed, quoted, bare, shaped, others].flatMap { $0 }
}

@Suite("Redaction of planted secrets")
struct PlantedSecretTests {
  @Test("finds all of them")
  func recall() {
    #expect(Planted.all.count >= 300)
    for planted in Planted.all {
      let result = BuiltInRuleTests.redact(planted.text, RedactionRules())
      #expect(!result.contains(planted.secret), "\(planted.text) -> \(result)")
    }
  }

  @Test("leaves at most one in a hundred look-alikes changed")
  func precision() {
    #expect(LookAlikes.all.count >= 300)
    let changed = LookAlikes.all.filter { BuiltInRuleTests.redact($0, RedactionRules()) != $0 }
    #expect(changed.count * 100 <= LookAlikes.all.count, "\(changed)")
    #expect(changed == [])
  }
}
