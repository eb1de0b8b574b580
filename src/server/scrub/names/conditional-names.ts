import { secretValueTests as is, type SecretValueTest } from '#server/scrub/values/secret-value.ts'
import { readKeyName } from './key-name.ts'

/** Last words of names whose values are tested, and the tests. Without separators, with numbers as 0. */
const endings = new Map<string, SecretValueTest>([
  ...named(is.token, 'session', 'sessionid', 'sid', 'ticket'),
  ...named(is.longToken, 'assertion', 'clientassertion', 'keystore', 'private', 'samlresponse', 'signature'),
  ...named(is.key, 'salt', 'clave'),
  ...named(is.digits, 'pin', '0fa'),
  ...named(is.password, 'pw', 'passw', 'psw', 'pwrd'),
  ...named(is.document, 'iban', 'creditcard', 'creditcardno', 'passport', 'passportno', 'passportnumber'),
  ...named(is.document, 'accountno', 'accountnumber', 'bankaccount', 'socialsecurity', 'securitynumber'),
  ...named(is.phrase, 'seed', 'mnemonic', 'seedphrase', 'recoveryphrase'),
  ...named(is.link, 'magiclink', 'resetlink'),
  ...named(is.connection, 'dsn', 'connectionstring', 'databaseurl', 'dburl'),
])

function named(test: SecretValueTest, ...names: string[]): [string, SecretValueTest][] {
  return names.map((name) => [name, test])
}

/** Codes that are sent to users or printed for them. */
const codeOfPerson =
  /(?:0fa|access|activation|backup|confirmation|login|onetime|recovery|reset|scratch|security|sms|verification)codes?$/

/** Each of these names contains one of these parts. */
export const conditionalPart =
  /sess|sid|ticket|assertion|key|private|saml|signature|salt|clave|pin|fa$|pw|pass|psw|iban|creditcard|account|security|seed|mnemonic|phrase|link|dsn|connectionstring|url$|code/

/** Finds the test for values under a name; undefined if the name suggests no secret. `name` is as sent. */
export function findCondition(words: readonly string[], name: string): SecretValueTest | undefined {
  // After another word, `pass` is as often a pass of a shader, a test or a train.
  if (words.length === 1 && words[0] === 'pass') return is.password
  const last = withoutNumbers(words.at(-1) ?? '')
  const lastTwo = withoutNumbers(words.at(-2) ?? '') + last
  const test = endings.get(last) ?? endings.get(lastTwo)
  if (test !== undefined) return test
  if (/codes?$/.test(last)) {
    return codeOfPerson.test(withoutNumbers(words.at(-3) ?? '') + lastTwo) ? is.code : undefined
  }
  const kind = readKeyName(words, name)
  if (kind === 'none') return undefined
  return kind === 'named' ? is.key : is.longToken
}

function withoutNumbers(text: string): string {
  return /\d/.test(text) ? text.replaceAll(/\d+/g, '0') : text
}
