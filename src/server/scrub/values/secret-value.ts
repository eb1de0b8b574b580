/** True if a value is secret. For fields whose name alone does not decide it. */
export type SecretValueTest = (value: string) => boolean

/** Letters and digits of a token, without spaces. Words with dashes or dots in between are names and code. */
function isRandomWord(value: string, shortest: number): boolean {
  return (
    value.length >= shortest &&
    /^[\w+/=.:~%$-]+$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !harmless.test(value) &&
    !words.test(value) &&
    !typeName.test(value)
  )
}

/** Times, addresses, files and paths, versions, UUIDs, and the ids of Twilio, which are public. */
const harmless =
  /^\d{4}-\d\d-\d\d|^[a-z][a-z\d+.-]*:\/\/|\.[a-z]{1,4}\d?$|^v?\d+(?:\.\d+)+|^\.{0,2}\/|^[A-Z]{2}[\da-f]{32}$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Words with separators: `tsr-scroll-restoration-v1_3`, `exports$1.captureSession`. */
const words =
  /^(?:[A-Za-z$]{1,24}\d{0,4}|[A-Za-z]?\d{1,4})(?:[-_.:/](?:[A-Za-z$]{1,24}\d{0,4}|[A-Za-z]?\d{1,4}))+$/

/** The name of a type: `ServerHttp2Session`. */
const typeName = /^[a-z]*(?:[A-Z][a-z]{2,}\d{0,2})+$/

function countDigits(value: string): number {
  return value.match(/\d/g)?.length ?? 0
}

/** The number of an account, a card or a document: digits, possibly letters, possibly in groups. */
function isDocumentNumber(value: string): boolean {
  return /^[A-Z\d](?:[ -]?[A-Z\d]){4,40}$/i.test(value) && countDigits(value) >= 5
}

/** A code for an access token; the code of a country, an error or a voucher is shorter or a word. */
export function isCodeOfOauth(value: string): boolean {
  return isRandomWord(value, 16)
}

/** The tests by kind of value. */
export const secretValueTests = {
  /** A number that users type: a PIN, a code from a message. */
  digits: (value: string) => /^\s*\d(?:[ -]?\d){3,15}\s*$/.test(value),
  /** Digits, or letters and digits, in groups. */
  code: (value: string) => /^[A-Z\d](?:[ -]?[A-Z\d]){3,40}$/i.test(value) && countDigits(value) > 0,
  document: isDocumentNumber,
  /** At least 4 characters with a digit or a symbol, but not a small number. */
  password: (value: string) =>
    /^[!-'*-Z^-~]{4,64}$/.test(value) && /[\d!#-&*+=?@^~]/.test(value) && !/^[\d.,%/]{1,5}$/.test(value),
  /** A key, a salt: at least 8 characters that look random. */
  key: (value: string) => isRandomWord(value, 8),
  /** A session, a ticket. */
  token: (value: string) => isRandomWord(value, 16),
  /** A signature, or a key under a name that may be another kind of key. */
  longToken: (value: string) => isRandomWord(value, 24),
  /** At least twelve words, as in a wallet's recovery phrase, or one long token. */
  phrase: (value: string) => /^\s*(?:\p{L}{2,12}\s+){11}/u.test(value) || isRandomWord(value, 24),
  /** A URL that grants access to anyone who opens it. */
  link: (value: string) => /^(?:https?:\/\/|\/)\S{8,}$/i.test(value),
  /** Not the path of a folder, `PWD=/srv/app`. */
  noFolder: (value: string) => !/^(?:[/~]|[A-Za-z]:[\\/])/.test(value),
  /** `user:password@host` without a scheme. */
  connection: (value: string) => /^[^\s:/@]{1,64}:[^\s/@]{1,128}@[\w.-]/.test(value),
} as const satisfies Record<string, SecretValueTest>
