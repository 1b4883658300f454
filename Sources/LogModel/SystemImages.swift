// SPDX-License-Identifier: Apache-2.0

/// Binaries that belong to a system, by name: their frames are seldom the cause of a crash.
enum SystemImages {
  private static let prefixes = [
    "libsystem_", "libSystem", "libswift", "libobjc", "libdyld", "dyld", "libc.so", "libc++",
    "libc-2", "libpthread", "ld-linux", "ld-2", "libdispatch", "libBlocksRuntime", "libFoundation",
    "lib_Foundation", "lib_StringProcessing", "libstdc++", "libgcc_s", "libm.so", "libxpc",
    "libcompiler_rt", "linux-vdso", "[vdso]", "libart.so", "libbinder.so", "libutils.so",
    "libandroid_runtime.so", "boot-", "boot.oat", "libasan.so", "libtsan.so", "libubsan.so",
    "liblsan.so", "libjvm.so", "libclang_rt", "libicucore", "libsqlite3", "libz.", "libnetwork",
  ]

  private static let names: Set<String> = [
    "AVFoundation", "AppKit", "AttributeGraph", "BackBoardServices", "CFNetwork", "Combine",
    "CoreAnimation", "CoreAudio", "CoreData", "CoreFoundation", "CoreGraphics", "CoreImage",
    "CoreLocation", "CoreMedia", "CoreText", "CoreVideo", "FileProvider", "Foundation",
    "FrontBoardServices", "GraphicsServices", "HIToolbox", "IOKit", "ImageIO", "JavaScriptCore",
    "MapKit", "Metal", "Network", "QuartzCore", "Security", "SpringBoardServices", "SwiftUI",
    "SystemConfiguration", "UIFoundation", "UIKit", "UIKitCore", "ViewBridge", "WebCore", "WebKit",
    "XCTest", "XCTestCore", "ntdll.dll", "kernel32.dll", "kernelbase.dll", "user32.dll",
    "ucrtbase.dll", "msvcrt.dll", "vcruntime140.dll", "[vectors]", "???", "node",
  ]

  static func contains(_ image: String) -> Bool {
    names.contains(image) || names.contains(image.lowercased())
      || prefixes.contains { image.hasPrefix($0) }
  }
}
