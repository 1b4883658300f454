// swift-tools-version: 6.2
// Targets stand in the order of the data flow: bytes → lines → records → store → query, bundle.
// A target imports only what stands before it; its tests follow it. Dependencies are alphabetical.

import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    // Expected outputs, read where they lie.
    exclude: name == "LogagentCLI" ? ["Snapshots"] : [],
    swiftSettings: settings)
}

let package = Package(
  name: "logagent",
  products: [
    .executable(name: "logagent", targets: ["logagent"]),
    .executable(name: "logagentd", targets: ["logagentd"]),
    .executable(name: "logagent-upload", targets: ["logagent-upload"]),
    .executable(name: "logagent-bench", targets: ["logagent-bench"]),
  ],
  targets: [
    // C libraries of the system, and the two small pieces of C and C++ that Swift cannot say.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CShims"),
    .target(name: "CTOML"),

    // The values that flow.
    library("LogModel"),
    tests("LogModel"),

    // System calls, SQLite and patterns: the layer that touches C.
    library("FileIO", ["CNettle", "CShims", "CZlib", "LogModel"]),
    tests("FileIO"),
    library("Patterns", ["CPCRE2"]),
    tests("Patterns"),
    library("SQLite", ["CSQLite"]),
    tests("SQLite"),

    // Files → raw records → records.
    library("LogParser", ["CShims", "LogModel", "Patterns"]),
    tests("LogParser", ["FuzzTargets", "LogModel"]),
    library("FileTail", ["FileIO", "LogModel"]),
    tests("FileTail", ["FileIO", "LogModel"]),
    library("CrashSpool", ["FileIO", "LogModel"]),
    tests("CrashSpool", ["FileIO", "LogModel"]),

    // Text → text without secrets.
    library("Redaction", ["Patterns"]),
    tests("Redaction", ["Patterns"]),

    // Records → SQLite.
    library("LogStore", ["LogModel", "SQLite"]),
    tests("LogStore", ["FaultVFS", "LogModel", "SQLite"]),

    // SQLite → rows → text, bundle.
    library("LogQuery", ["LogModel", "Patterns", "SQLite"]),
    tests("LogQuery", ["LogModel", "LogParser", "LogStore", "SQLite", "StoreTestSupport"]),
    library(
      "SupportBundle",
      ["CISAL", "FileIO", "LogModel", "LogQuery", "Patterns", "Redaction", "SQLite"]),
    tests(
      "SupportBundle",
      ["FileIO", "LogModel", "LogQuery", "Patterns", "Redaction", "SQLite", "StoreTestSupport"]),

    // Bundle → server, through an outbox. libcurl is linked to nothing else.
    library("BundleUpload", ["CCurl", "FileIO", "LogModel"]),
    .testTarget(
      name: "BundleUploadTests",
      dependencies: ["BundleUpload", "FileIO", "LogModel", "TestSupport"],
      // Servers that the tests start.
      exclude: ["Servers"],
      swiftSettings: settings),

    // A program → its output as log files, and how it ended.
    library("ProcessCapture", ["CShims", "FileIO", "LogModel"]),
    tests("ProcessCapture", ["FileIO", "LogModel"]),

    // Configuration, the agent, the command line.
    library("AgentConfig", ["CTOML", "FileIO", "LogModel"]),
    tests("AgentConfig", ["LogModel"]),
    library(
      "Pipeline",
      [
        "AgentConfig", "CShims", "CrashSpool", "FileIO", "FileTail", "LogModel", "LogParser",
        "LogStore", "SQLite",
      ]),
    tests("Pipeline", ["AgentConfig", "FileIO", "LogModel", "LogStore", "SQLite"]),
    library(
      "LogagentCLI",
      [
        "AgentConfig", "CShims", "FileIO", "LogModel", "LogParser", "LogQuery", "LogStore",
        "Patterns", "Pipeline", "ProcessCapture", "Redaction", "SQLite", "SupportBundle",
      ]),
    tests(
      "LogagentCLI",
      ["AgentConfig", "FileIO", "LogModel", "LogQuery", "SQLite", "StoreTestSupport"]),

    // Programs: one file each, that only starts things.
    .executableTarget(name: "logagent", dependencies: ["LogagentCLI"], swiftSettings: settings),
    .executableTarget(
      name: "logagentd", dependencies: ["Pipeline"], swiftSettings: settings),
    .executableTarget(
      name: "logagent-upload", dependencies: ["BundleUpload"], swiftSettings: settings),
    .executableTarget(
      name: "logagent-bench",
      dependencies: ["FileIO", "LogModel", "LogParser", "LogStore", "SQLite"],
      swiftSettings: settings),

    // Tests over the whole: the built programs, and the repository itself.
    .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
    // What contrib/fuzz.sh feeds; the tests feed it what was found.
    .target(
      name: "FuzzTargets", dependencies: ["LogModel", "LogParser"], path: "Tests/Fuzz/Targets",
      swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: settings),
    .target(
      name: "StoreTestSupport",
      dependencies: ["FileIO", "LogModel", "LogStore", "SQLite"],
      path: "Tests/StoreSupport",
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["SQLite", "TestSupport", "logagent", "logagent-upload", "logagentd"],
      swiftSettings: settings),
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)
