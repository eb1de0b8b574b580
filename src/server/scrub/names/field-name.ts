import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { withoutMarks } from '#server/scrub/scrub-rule.ts'
import { secretValueTests, type SecretValueTest } from '#server/scrub/values/secret-value.ts'
import { conditionalPart, findCondition } from './conditional-names.ts'
import { foreignPart, foreignPassword, foreignSecretWords } from './foreign-words.ts'

/** The kind of value that the name of a field suggests. */
export interface FieldName {
  /**
   * `secret`: any value, unless it is true, false or null. `counted`: as `secret`, but a number is a quantity
   * (`max_tokens`). `conditional`: a text or a number that `isSecretValue` classifies as a secret.
   */
  kind: 'plain' | 'secret' | 'counted' | 'conditional' | 'own' | 'excluded'
  context: FieldContext
  isSecretValue?: SecretValueTest
}

/**
 * The context of a field: `cookies` are pairs, a `cookie_header` is a text of pairs, an `identifier` is
 * meaningless hexadecimal digits, a `route` has paths that are not files, an `address` is an IP address.
 */
export type FieldContext = 'any' | 'cookies' | 'cookie_header' | 'identifier' | 'route' | 'address'

/** Secret anywhere in a name, after its separators and case are removed: `dbPassword1`, `X-Api-Key`. */
const secretParts =
  /passw(?:or)?d|passwort|passphrase|passcode|secret|credential|apikey|privatekey|accesskey|encryptionkey|signingkey|authkey|authorization|accesstoken|refreshtoken|authtoken|sessiontoken|csrftoken|xsrftoken|mysqlpwd|twofactor|phpsessid|jsessionid|aspsessionid|connectsid|creditcardn|cardnumber|subscriptionkey|licensekey|codeverifier|securityanswer|mfacode/

/** Contain one of the above and are not secret. */
const harmlessParts = /passwordless|passwordpolic|secretar(?:y|ies|iat)/g

/** Secret as a whole word only: as parts of words they would match too often. */
const secretWords = new Set(['authentication', 'bearer', 'cvc', 'cvv', 'otp', 'ssn', 'totp'])

/**
 * Secret at the end of a word, because many names are written as one word: `usertoken`, but neither
 * `tokenizer` nor `author`.
 */
const secretEnding = /(?:auth|csrf|jwt|pwd|tokens?|xsrf)$/

/** The variables of a shell for its folder, and a name of a password. */
const folderName = /^(?:old)?pwd$/i

/** `DB_PASS`, `smtpPass`; `pass` alone often means that a test has passed. */
const passOfSomething =
  /(?:^| )(?:admin|database|db|email|ftp|http|ldap|login|mail|mysql|pg|postgres|proxy|redis|root|smtp|ssh|user) pass$/

/** Every secret name contains one of these, so other names need not be split. */
const anySecretPart =
  /pass|secret|credential|key|auth|token|csrf|xsrf|jwt|pwd|sess|connectsid|creditcardn|cardnumber|twofactor|bearer|cv[cv]|otp|ssn|verifier|answer|mfacode/

/** A name that ends with one of these describes a secret but is not one: `token_type`, `passwordLength`. */
const describingWords = new Set([
  'age',
  'alg',
  'algorithm',
  'at',
  'attempts',
  'budget',
  'changed',
  'cost',
  'count',
  'counts',
  'created',
  'disabled',
  'enabled',
  'endpoint',
  'error',
  'errors',
  'exists',
  'expiration',
  'expired',
  'expires',
  'expiry',
  'in',
  'index',
  'invalid',
  'kind',
  'len',
  'length',
  'level',
  'limit',
  'max',
  'method',
  'methods',
  'min',
  'missing',
  'mode',
  'name',
  'policy',
  'present',
  'provider',
  'required',
  'retries',
  'size',
  'sock',
  'socket',
  'status',
  'strategy',
  'strength',
  'total',
  'ttl',
  'type',
  'updated',
  'usage',
  'used',
  'valid',
  'verified',
  'version',
])

const countingWords = new Set(['max', 'min', 'num', 'remaining', 'tokens', 'total'])

const contexts = new Map<string, FieldContext>([
  ['cookies', 'cookies'],
  ['cookie', 'cookie_header'],
  ['setcookie', 'cookie_header'],
  ['httprequestheadercookie', 'cookie_header'],
  ['httpresponseheadersetcookie', 'cookie_header'],
  ['httpcookie', 'cookie_header'],
  ['debugid', 'identifier'],
  ['eventid', 'identifier'],
  ['parentspanid', 'identifier'],
  ['profileid', 'identifier'],
  ['replayid', 'identifier'],
  ['segmentid', 'identifier'],
  ['spanid', 'identifier'],
  ['traceid', 'identifier'],
  ['documenturi', 'route'],
  ['from', 'route'],
  ['href', 'route'],
  ['httptarget', 'route'],
  ['httpurl', 'route'],
  ['httproute', 'route'],
  ['pathname', 'route'],
  ['referer', 'route'],
  ['referrer', 'route'],
  ['route', 'route'],
  ['sentrysegmentname', 'route'],
  ['to', 'route'],
  ['transaction', 'route'],
  ['uri', 'route'],
  ['url', 'route'],
  ['urlfull', 'route'],
  ['urlpath', 'route'],
  ['urltemplate', 'route'],
  ['clientaddress', 'address'],
  ['clientip', 'address'],
  ['ipaddress', 'address'],
  ['remoteaddr', 'address'],
])

/** The kind of value that a name suggests. */
export type ReadName = (name: string) => FieldName

/** True if any value under the name is secret. */
export function isSecretName({ kind }: FieldName): boolean {
  return kind === 'secret' || kind === 'counted' || kind === 'own'
}

/** True if a value may be secret under the name. */
export function canBeSecret(field: FieldName): boolean {
  return field.kind === 'conditional' || isSecretName(field)
}

/** True if this value is secret under the name. */
export function isSecretValue(field: FieldName, value: string): boolean {
  return field.isSecretValue === undefined ? isSecretName(field) : field.isSecretValue(value)
}

/** The rule for a secret name's value. */
export function ruleOf({ kind }: FieldName): 'fields' | 'password' {
  return kind === 'own' ? 'fields' : 'password'
}

/** Signatures of links that grant access (AWS, Google Cloud, Azure); elsewhere functions have signatures. */
export function isSecretParameter(name: string): boolean {
  return /^(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))$/i.test(name)
}

/** A project's lists of names, without case and separators. */
export interface NameLists {
  fields: readonly string[]
  excludedFields: ReadonlySet<string>
  hasSecretNames: boolean
}

/** Classifies a field's name. Takes 1 to 3 µs: call it through `createFieldNames`. */
function readFieldName(sentName: string, lists: NameLists): FieldName {
  const name = withoutMarks(sentName.normalize('NFKC'))
  const compact = compactName(name)
  const context = contexts.get(compact) ?? 'any'
  if (lists.excludedFields.has(compact)) return { kind: 'excluded', context }
  if (compact !== '' && lists.fields.some((field) => compact.includes(field))) return { kind: 'own', context }
  if (!lists.hasSecretNames) return { kind: 'plain', context }
  const hasSecretPart = anySecretPart.test(compact) || foreignPart.test(compact)
  if (!hasSecretPart && !conditionalPart.test(compact)) return { kind: 'plain', context }
  const words = nameWords(name)
  if (describingWords.has(words.at(-1) ?? '')) return { kind: 'plain', context }
  if (folderName.test(name)) return { kind: 'conditional', context, isSecretValue: secretValueTests.noFolder }
  if (hasSecretPart && isSecret(words, compact)) {
    return { kind: words.some((word) => countingWords.has(word)) ? 'counted' : 'secret', context }
  }
  const condition = findCondition(words, name)
  return condition === undefined
    ? { kind: 'plain', context }
    : { kind: 'conditional', context, isSecretValue: condition }
}

function isSecret(words: string[], compact: string): boolean {
  if (foreignPassword.test(compact)) return true
  if (secretParts.test(compact.replaceAll(harmlessParts, ''))) return true
  const bareWords = words.map((word) => word.replace(/\d+$/, ''))
  return bareWords.some(isSecretWord) || passOfSomething.test(bareWords.join(' '))
}

function isSecretWord(word: string): boolean {
  return secretWords.has(word) || foreignSecretWords.has(word) || secretEnding.test(word)
}

const oneWord = /^[a-z0-9]+$/

/** The words of a name in snake, kebab, dotted or camel case, in lower case. */
export function nameWords(name: string): string[] {
  if (oneWord.test(name)) return [name]
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** A name without case and separators, for comparisons. */
export function compactName(name: string): string {
  return oneWord.test(name)
    ? name
    : name
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * A cached classification of names: all events have the same few hundred names. It caches at most
 * `limits.cachedFieldNames` names, and none that is so long that it may be a misplaced value.
 *
 * Names that differ only in their numbers are treated as one: a list is often written as an object with a
 * name for each element, and classifying 80,000 of those one by one blocked the event loop for 0.3 s
 * (measured).
 */
export function createFieldNames(lists: NameLists): ReadName {
  const cached = new BoundedMap<string, FieldName>(limits.cachedFieldNames)
  const areNumbersAlike = ![...lists.fields, ...lists.excludedFields].some((field) => /\d/.test(field))
  return (sentName) => {
    const known = cached.get(sentName)
    if (known !== undefined) return known
    const name = areNumbersAlike ? sentName.replaceAll(/\d+/g, '0') : sentName
    if (name.length > limits.cachedNameCharacters) return readFieldName(name, lists)
    return cached.getOrCreate(name, () => readFieldName(name, lists))
  }
}
