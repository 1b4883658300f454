// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The words of PostgreSQL where its messages are German, French, Spanish, Italian or Portuguese
/// (`lc_messages`): those in plain capitals.
enum PostgresWords {
  private static let severities: [(StaticString, Severity)] = [
    ("FEHLER", .error), ("ERREUR", .error), ("ERRORE", .error), ("ERRO", .error),
    ("PANIK", .fatal), ("PANICO", .fatal), ("FATALE", .fatal), ("WARNUNG", .warn),
    ("ATTENTION", .warn), ("ADVERTENCIA", .warn), ("ATTENZIONE", .warn), ("AVISO", .warn),
    ("HINWEIS", .notice), ("NOTIFICA", .notice), ("NOTA", .notice),
  ]

  private static let details: [(StaticString, StaticString)] = [
    ("TIPP", "postgresql.hint"), ("ASTUCE", "postgresql.hint"), ("SUGERENCIA", "postgresql.hint"),
    ("SUGGERIMENTO", "postgresql.hint"), ("DICA", "postgresql.hint"),
    ("DETALLE", "postgresql.detail"), ("DETTAGLI", "postgresql.detail"),
    ("DETALHE", "postgresql.detail"), ("ZUSAMMENHANG", "postgresql.context"),
    ("CONTEXTE", "postgresql.context"), ("CONTEXTO", "postgresql.context"),
    ("CONTESTO", "postgresql.context"), ("ANWEISUNG", "db.query.text"),
    ("INSTRUCTION", "db.query.text"), ("SENTENCIA", "db.query.text"),
    ("ISTRUZIONE", "db.query.text"), ("COMANDO", "db.query.text"),
    ("ANFRAGE", "postgresql.internal_query"),
  ]

  static func severity(_ word: Line) -> Severity? { severities.first { word.isEqual($0.0) }?.1 }

  static func detail(_ word: Line) -> StaticString? { details.first { word.isEqual($0.0) }?.1 }
}
