/** The data that each rule removes, in one sentence. */
export const scrubTexts: ReadonlyMap<string, string> = new Map([
  [
    'password',
    'Values under names such as password, token, secret or auth, and what is assigned to such a name in a text.',
  ],
  ['cookie', 'Session and CSRF cookies.'],
  ['urlauth', 'Passwords in URLs such as https://user:password@host.'],
  ['fields', 'Values of the secret field names below.'],
  ['token', 'Bearer and basic credentials, JSON web tokens, and tokens of well-known services.'],
  ['creditcard', 'Payment card numbers.'],
  ['iban', 'Bank account numbers.'],
  ['pemkey', 'Private keys and certificates in PEM.'],
  ['userpath', 'Usernames in paths such as /home/name, /Users/name and C:\\Users\\name.'],
  ['usssn', 'US social security numbers.'],
  ['email', 'Email addresses in texts.'],
  ['ip', 'IP addresses in texts.'],
  ['imei', 'Phone IMEIs.'],
  ['mac', 'MAC addresses.'],
  ['uuid', 'UUIDs.'],
])
