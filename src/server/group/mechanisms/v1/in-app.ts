import type { Frame, StackTrace } from '#protocol/event.ts'
import { platformFamily, type PlatformFamily } from './platform-family.ts'

/** True for a frame of the application's own code. */
export type InAppPredicate = (frame: Frame) => boolean

/**
 * Creates the predicate of an event. If the SDK marked any frame, its marks count, and unmarked frames are
 * not in-app. If it marked none, all frames are in-app except the libraries in the tables below.
 */
export function createInAppPredicate(traces: StackTrace[], platform: string): InAppPredicate {
  const isMarked = traces.some((trace) => trace.frames.some((frame) => frame.inApp !== undefined))
  if (isMarked) return (frame) => frame.inApp === true
  return (frame) => !isLibraryFrame(frame, platformFamily(frame.platform ?? platform))
}

/** Folders of package managers and runtimes, in paths with forward slashes. */
const libraryPaths: Partial<Record<PlatformFamily, RegExp>> = {
  javascript:
    /\/node_modules\/|^node_modules\/|^node:|^internal\/|^(?:chrome|moz|safari-web)-extension:|\/webpack\/bootstrap|^https?:\/\/(?:unpkg\.com|cdn\.jsdelivr\.net|cdnjs\.cloudflare\.com|esm\.(?:run|sh))\//,
  python: /\/(?:site|dist)-packages\/|\/lib(?:64)?\/python\d[\d.]*\/|^<frozen /,
  php: /(?:^|\/)vendor\//,
  ruby: /\/gems\/|\/lib\/ruby\/|^<internal:/,
  go: /\/pkg\/mod\/|\/usr\/local\/go\/src\/|(?:^|\/)vendor\//,
  dart: /^dart:|^package:flutter\/|\/\.pub-cache\//,
  native: /\/rustc\/|\/\.cargo\/registry\//,
}

/** Packages of the platform's standard library and of the most common frameworks. */
const libraryModules: Partial<Record<PlatformFamily, RegExp>> = {
  java: /^(?:javax?|jdk|sun|com\.sun|jakarta|kotlinx?|scala|groovy|clojure|android|androidx|dalvik|libcore|com\.android|com\.google\.android|org\.(?:springframework|apache|hibernate|eclipse|jboss|junit|codehaus\.groovy)|io\.(?:netty|reactivex|undertow|micronaut|quarkus)|reactor)\./,
  csharp: /^(?:System|Microsoft|Mono|UnityEngine|UnityEditor|Cysharp)\./,
  go: /^(?:runtime|reflect|sync|net\/http|net|testing|syscall)$/,
}

/** Images of the operating system. */
const systemImages =
  /^(?:\/usr\/lib\/|\/lib(?:64)?\/|\/system\/|\/System\/|\/apex\/|\/Developer\/|\/private\/var\/containers\/Bundle\/Application\/[^/]+\/[^/]+\/Frameworks\/libswift|[A-Za-z]:[\\/]Windows[\\/])|\.app\/Contents\/Frameworks\/libswift|^(?:libdyld|libsystem_\w+|libobjc\.A)\.dylib$|^(?:UIKitCore|CoreFoundation|Foundation|GraphicsServices)$/i

const nativeRuntimeFunctions =
  /^(?:std|core|alloc|__cxxabiv1|__gnu_cxx)::|^(?:_start|__libc_start_main|start_thread)$/

function isLibraryFrame(frame: Frame, family: PlatformFamily): boolean {
  const path = (frame.absPath || frame.filename || '').replaceAll('\\', '/')
  if (path !== '' && libraryPaths[family]?.test(path)) return true
  // .NET's frames often contain the type only in the function's name.
  const module = frame.module || (family === 'csharp' ? frame.function : undefined)
  if (module && libraryModules[family]?.test(module)) return true
  if (family !== 'native') return false
  return systemImages.test(frame.package ?? '') || nativeRuntimeFunctions.test(frame.function ?? '')
}
