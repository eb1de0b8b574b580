import type { Frame } from '#protocol/event.ts'
import type { PlatformFamily } from './platform-family.ts'

const namelessFiles = new Set([
  '<anonymous>',
  '[native code]',
  'native code',
  'native',
  '<unknown>',
  'unknown source',
])

/**
 * The module of a frame, without the parts that differ between builds and runs; if it has no usable module,
 * the name of its file. Undefined if neither is usable.
 *
 * Module and file are interchangeable, so that an SDK which starts to send modules named like files does not
 * split an issue.
 */
export function findCodeLocation(frame: Frame, family: PlatformFamily): string | undefined {
  return findModule(frame, family) ?? findFileName(frame, family)
}

/** True for a frame whose code was loaded from the web: its path depends on the URL of the page. */
export function hasUrlOrigin(frame: Frame): boolean {
  const path = frame.absPath || frame.filename
  return path !== undefined && /^(?:https?|blob|applewebdata):/.test(path)
}

function findModule(frame: Frame, family: PlatformFamily): string | undefined {
  const { module } = frame
  if (!module) return undefined
  if (family === 'javascript') return findJavascriptModule(module, frame)
  if (family === 'java') return findJavaModule(module, frame)
  if (family === 'csharp') return cleanCsharpName(module)
  if (family === 'php' && module.startsWith('class@anonymous')) return undefined
  return module
}

/** A module that is the end of the frame's URL is only the page's path. */
function findJavascriptModule(module: string, frame: Frame): string | undefined {
  return module.includes('/') && frame.absPath?.endsWith(module) ? undefined : cutHashes(module)
}

function findJavaModule(module: string, frame: Frame): string | undefined {
  const lambdaAt = module.indexOf('$$Lambda')
  if (lambdaAt >= 0) return frame.filename ? undefined : module.slice(0, lambdaAt)
  return cleanJavaName(module)
}

/** Each alternative captures the part to keep and matches the number after it. */
const generatedJavaNumbers = new RegExp(
  [
    /(\.Generated(?:SerializationConstructor|Constructor|Method)Accessor)\d+/,
    /(\$\$\w*?(?:CGLIB|Guice)\$\$)[0-9a-f]+(?:_\d+)?/,
    /(\$\$_(?:javassist|jvst))(?:_seam)?[0-9a-f_]*/,
    /(\$\$ExternalSynthetic[A-Za-z]+)\d+/,
    /(\$(?:HibernateProxy|MockitoMock|ByteBuddy)\$)\w+/,
    /(Proxy)\d+$/,
    // Clojure numbers its functions and reified types, Groovy its closures, Scala its anonymous functions.
    /(\$(?:fn|reify|eval|iter)_{0,4})\d+/,
    /(_closure)\d+/,
    /(\$anonfun\$(?:\w+\$)?)\d+/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'g',
)

/** A Java class or file name without the numbers that generators add at run time. */
function cleanJavaName(name: string): string {
  if (!/\$|Proxy|Accessor|_closure/.test(name)) return name
  return name.replace(generatedJavaNumbers, '$1$2$3$4$5$6$7$8$9')
}

/** A .NET type or method name without the compiler's numbering of closures and state machines. */
export function cleanCsharpName(name: string): string {
  if (!name.includes('<')) return name
  return name.replace(/(__DisplayClass)\d+(?:_\d+)?/g, '$1').replace(/(>[a-z]__)\d+(?:_\d+)?/g, '$1')
}

function findFileName(frame: Frame, family: PlatformFamily): string | undefined {
  const path = frame.filename || frame.absPath
  if (!path || hasUrlOrigin(frame)) return undefined
  const name = family === 'java' ? cleanJavaName(baseName(path)).toLowerCase() : stableName(path)
  return name === '' || namelessFiles.has(name) ? undefined : name
}

/**
 * A file's name without folders, query, version and build hash, in lower case: equal for the same file in
 * another release, or on another machine.
 */
export function stableName(path: string): string {
  const query = path.search(/[?#]/)
  // Firefox: `page.html line 3 > eval`.
  const name = baseName(query > 0 ? path.slice(0, query) : path).replace(/ line \d+ > .*$/, '')
  return cutHashes(name).toLowerCase()
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/**
 * Packagers add a version of at least two numbers, bundlers 8 to 64 hex digits or 8 of base 64, between
 * separators.
 */
function cutHashes(name: string): string {
  if (!/\d/.test(name)) return name
  let stable = name
  if (/\d\.\d/.test(stable)) stable = stable.replace(/(?<=[-._@])v?\d+(?:\.\d+)+(?=[-._/]|$)/g, '<version>')
  if (/[\da-f]{8}/i.test(stable)) {
    stable = stable.replace(/(?<=^|[-._/])(?=[a-f]*\d)[\da-f]{8,64}(?=[-._/]|$)/gi, '<hash>')
  }
  return /[-.]\w{8}\.[a-z]{2,4}$/.test(stable)
    ? stable.replace(/(?<=[-.])(?=[a-zA-Z_]*\d)(?=[a-z\d_]*[A-Z])\w{8}(?=\.[a-z]{2,4}$)/, '<hash>')
    : stable
}
