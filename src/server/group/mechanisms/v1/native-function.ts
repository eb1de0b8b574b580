/** Numbered lambdas of gcc, clang and MSVC. */
const lambdas = /<lambda_[0-9a-f]+>|\{lambda\([^{}]*\)#\d+\}|'lambda\d*'|\$_\d+\b/g

/** Anonymous namespaces of MSVC, gcc and clang. */
const namelessNamespaces = /`anonymous[ -]namespace'|\(anonymous namespace\)|\?A0x[0-9a-f]{8}/g

/** Suffixes of linkers and compilers: clones, PLT and version marks, stdcall sizes, Rust's hash. */
const symbolSuffix =
  /(?:\.(?:cold|isra|constprop|part|llvm|lto_priv)(?:\.\d+)*|@plt|@{1,2}[A-Z][\w.]*|@\d+|::h[0-9a-f]{16})+$/

/**
 * A native function's qualified name without arguments, template arguments, return type and compiler marks.
 *
 * Compilers and demanglers have little else in common. Objective-C methods are not changed. For an address
 * instead of a name the result is empty.
 */
export function trimNativeFunction(name: string): string {
  const whole = name.trim()
  if (/^(?:0x)?[0-9a-f]{6,16}$/i.test(whole) && /\d/.test(whole)) return ''
  if (/^<\w+>$/.test(whole)) return whole
  const unwrapped = unwrap(whole)
  if (/^[-+]?\[/.test(unwrapped)) return unwrapped
  return cutSuffix(findQualifiedName(nameTheNameless(unwrapped))) || whole
}

function nameTheNameless(name: string): string {
  if (!/lambda|\$_|anonymous|\?A0x/.test(name)) return name
  return name.replace(lambdas, 'lambda').replace(namelessNamespaces, 'anonymous_namespace')
}

function cutSuffix(name: string): string {
  if (!/[.@]|::h/.test(name)) return name
  // Windows decorates a fastcall `@name@8`, with a sign on both sides.
  return name.replace(/^@(?=[^@]+@\d+$)/, '').replace(symbolSuffix, '')
}

/** The function that contains a Swift closure or thunk, or an Objective-C block. */
function unwrap(name: string): string {
  if (!/^(?:closure|specialized|partial|__\d)|_block_invoke/.test(name)) return name
  return name
    .replace(/^closure #\d+ .* in /, '')
    .replace(/^(?:specialized|partial apply for) /, '')
    .replace(/^__\d+(?=[-+]\[)/, '')
    .replace(/_block_invoke(?:[._]\d+)+$/, '_block_invoke')
}

const openers = '([{<'

/** Characters at which a name may end or continue elsewhere: spaces, brackets, pointer signs, arrows. */
const marks = /[\s()[\]{}<>*&-]/g

/** Words that may follow a function's arguments. */
const qualifiers = new Set(['', 'const', 'volatile', 'noexcept'])

/**
 * The last word outside of brackets, or the last one before `->`, after which Swift and Rust write the return
 * type.
 */
function findQualifiedName(name: string): string {
  let word = ''
  let lastWord = ''
  let at = 0
  while (at < name.length) {
    const end = nextMarkAt(name, at)
    const piece = name.slice(at, end)
    word += piece
    const mark = name.charAt(end)
    at = end + 1
    if (piece === 'operator' || piece.endsWith(':operator')) {
      const symbol = operatorSymbol(name, end)
      word += symbol.replace(/\s+/g, '')
      at = end + symbol.length
    } else if (openers.includes(mark)) {
      at = closingBracketAt(name, end) + 1
      if (mark === '{' || (mark === '<' && word === '')) word += bracketText(name.slice(end, at))
    } else if (mark === '-') {
      if (name.charAt(at) === '>') break
      word += mark
    } else if (mark.trim() === '') {
      if (!qualifiers.has(word)) lastWord = word
      word = ''
    }
  }
  return (qualifiers.has(word) ? lastWord : word).replace('::::', '::')
}

function nextMarkAt(name: string, start: number): number {
  marks.lastIndex = start
  return marks.test(name) ? marks.lastIndex - 1 : name.length
}

/** `<`, `()`, `->`, ` new[]`, ` bool`: brackets and spaces that belong to an operator's name. */
const operatorSymbols =
  /\s*(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|&&|\|\||\+\+|--|[-+*/%^&|~!=<>]=?|,)|\s+(?:new|delete)(?:\[\])?|\s+[\w:]+/y

function operatorSymbol(name: string, at: number): string {
  operatorSymbols.lastIndex = at
  return operatorSymbols.exec(name)?.[0] ?? ''
}

/**
 * The part of a bracket that belongs to a name: Rust's closures in braces, the receiver of a leading
 * `<Receiver as Trait>`.
 */
function bracketText(bracket: string): string {
  if (bracket.startsWith('{')) return bracket.replace(/#\d+/g, '')
  const receiver = bracket.slice(1, -1).split(' as ', 1)[0] ?? ''
  const generics = receiver.indexOf('<')
  return (generics > 0 ? receiver.slice(0, generics) : receiver).replace(/^[&*]+(?:mut |const )?/, '')
}

const brackets = /[([{<>}\])]/g

/** Index of the bracket that closes the one at `start`; the name's last index if there is none. */
function closingBracketAt(name: string, start: number): number {
  let depth = 0
  brackets.lastIndex = start
  while (brackets.test(name)) {
    const at = brackets.lastIndex - 1
    if (openers.includes(name.charAt(at))) depth += 1
    // The `>` of an arrow is not a bracket.
    else if (name.charAt(at - 1) !== '-' || name.charAt(at) !== '>') depth -= 1
    if (depth === 0) return at
  }
  return name.length - 1
}
