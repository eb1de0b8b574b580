/** What each rule takes out, in one sentence. */
export const scrubTexts: ReadonlyMap<string, string> = new Map([
  [
    'password',
    'Values under names such as password, token, secret or auth, and what is assigned to such a name in a text.',
  ],
  ['cookie', 'Values of cookies that keep a session or guard a form.'],
  ['urlauth', 'The password in https://user:password@host.'],
  ['fields', 'Values under your own field names below.'],
  ['token', 'Bearer and basic credentials, JSON web tokens, and tokens of well-known services.'],
  ['creditcard', 'Numbers of payment cards.'],
  ['iban', 'Numbers of bank accounts.'],
  ['pemkey', 'Private keys and certificates in PEM.'],
  ['userpath', 'The person’s name in /home/name, /Users/name and C:\\Users\\name.'],
  ['usssn', 'US social security numbers.'],
  ['email', 'Email addresses in texts.'],
  ['ip', 'IP addresses in texts.'],
  ['imei', 'Serial numbers of phones.'],
  ['mac', 'Addresses of network cards.'],
  ['uuid', 'UUIDs.'],
])
