import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findExcessGrowth } from '#test/cpu-time.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'
import { findSecrets, replaceSecrets } from './scrub-text.ts'

function scrubLine(line: string, settings: Partial<ScrubSettings> = {}): string {
  const plan = createScrubPlan({ ...defaultScrubSettings, ...settings })
  const find = (part: string) => findSecrets(part, 'source', { plan, limit: 500 })
  return replaceSecrets(line, find(line), find).text
}

const basic = Buffer.from('user:pass').toString('base64')

describe('scrubbing a source line', () => {
  it.each([
    // A text within quotes.
    [
      "throw new Error('login with password=hunter3 ok')",
      "throw new Error('login with password=[Filtered] ok')",
    ],
    ["log.info('using token=tok_secret1')", "log.info('using token=[Filtered]')"],
    [
      'raise ValueError(f"{user} has password: hunter2")',
      'raise ValueError(f"{user} has password: [Filtered]")',
    ],
    ['panic!("api_key={} secret=abc123", key);', 'panic!("api_key={} secret=[Filtered]", key);'],
    ["fetch('/login?user=jo&password=hunter2')", "fetch('/login?user=jo&password=[Filtered]')"],
    ['curl_setopt($c, OPT, "token=abc123");', 'curl_setopt($c, OPT, "token=[Filtered]");'],
    ['body = \'{"otp":123456,"n":1}\'', 'body = \'{"otp":[Filtered],"n":1}\''],
    ['body = "{\\"password\\":\\"x y z\\"}"', 'body = "{\\"password\\":\\"[Filtered]\\"}"'],
    ['it\'s a "password=hunter2" // don\'t', 'it\'s a "password=[Filtered]" // don\'t'],
    [
      'const dsn = `host=db password=hunter2 port=${port}`',
      'const dsn = `host=db password=[Filtered] port=${port}`',
    ],
    [
      "  message: 'login with password=hunter2 and then {snip}",
      "  message: 'login with password=[Filtered] and then {snip}",
    ],
    ["const next = '/go?next=%2Fx%3Ftoken%3Dabcd'", "const next = '/go?next=%2Fx%3Ftoken%3D[Filtered]'"],
    ["req.write('Cookie: sid=abc\\r\\n')", "req.write('Cookie: [Filtered]')"],
    // Headers.
    [`send('Authorization: Basic ${basic}')`, "send('Authorization: [Filtered]')"],
    [`headers: { Authorization: 'Basic ${basic}' }`, "headers: { Authorization: 'Basic [token]' }"],
    ["headers['X-Auth'] = `Bearer abc123def`", "headers['X-Auth'] = `Bearer [token]`"],
    // Arguments.
    ["scope.setExtra('password', 'hunter2')", "scope.setExtra('password', '[Filtered]')"],
    ["localStorage.setItem('token','swordfish')", "localStorage.setItem('token','[Filtered]')"],
    ["setattr(user, 'password', 'swordfish')", "setattr(user, 'password', '[Filtered]')"],
    ['form.append("api_key", "tok_secret1");', 'form.append("api_key", "[Filtered]");'],
    ["login('password', 'hunter2')", "login('password', '[Filtered]')"],
    // A quoted word after its name.
    ['  password => "hunter2",', '  password => "[Filtered]",'],
    ['  Password:                 "hunter2",', '  Password:                 "[Filtered]",'],
    ["  'password'              => 'hunter2',", "  'password'              => '[Filtered]',"],
    ['password               = "hunter2"', 'password               = "[Filtered]"'],
    ["PASSWORD = 'hunter2'", "PASSWORD = '[Filtered]'"],
    ["f('a', { secret: 'abc123' })", "f('a', { secret: '[Filtered]' })"],
  ])('%j becomes %j', (line, expected) => {
    expect(scrubLine(line)).toBe(expected)
    expect(scrubLine(expected)).toBe(expected)
  })
})

describe('source lines that scrubbing keeps', () => {
  it.each([
    // JavaScript and TypeScript.
    "const password = getPassword('login')",
    "function login(user = 'jo', password: string, token: Token<'a'>) {",
    "if (password === other && kind === 'local') {",
    "eval('if (password === wanted) login()')",
    "import { token } from './token.ts'; import auth = require('auth')",
    "const url = '/login?token=' + token + '&a=1'",
    'html+="token=\'"+token+"\'";x="password:"+password+"!"',
    'const url = `/login?token=${token}&password=${encodeURIComponent(password)}`',
    "headers: { Authorization: 'Bearer ' + accessToken, b: `Bearer ${token1}` }",
    'headers={Authorization:"Bearer "+accessToken1,b:"Authorization: Bearer "+token}',
    "const { password, email } = pick(body, 'password', 'email')",
    "const secretFields = ['password', 'token', 'newPassword1']",
    "label: 'Password: at least eight', passwordless: 'yes, please'",
    "input.matches('[name=password]') || css('#password:focus', '.token:nth-child(2)')",
    "type Kind = 'token:read' | 'token:write'; isPassword = k === 'password' ? a : b",
    "basic = 'the Basic plan and bearer tokens'",
    // Python.
    "def login(self, password: str = '', token: Optional[str] = None) -> 'Token':",
    "logger.warning('login of %s with password=%s token=%(token)s', user, password)",
    "print(f'token={token!r} password={self.password} secret={secret:>10}', \"don't\")",
    "fields = ('password1', 'password2')",
    // PHP, Ruby, Elixir.
    "Route::middleware('auth:sanctum')->get('/reset/:token', 'token');",
    '$sql = "SELECT id FROM users WHERE password = \'$password\' AND token = :token";',
    'puts "password=#{password} token: #{user.token}"',
    'params.require(:user).permit(:password, "token")',
    // Java, C#, Go, Rust, Swift, C.
    'String password = env.getProperty("db"); @JsonProperty("password") String token;',
    'return $"token={token} password={user.Password}";',
    'log.Printf("token=%q password: %+v", token, password)',
    "fn login<'a>(password: &'a str, token: &'static str) -> Result<Token<'a>, Error> {",
    'print("token=\\(token)")',
    'printf("password: %-10s token=%1$s\\n", password);',
    // SQL, shell.
    'db.query("UPDATE t SET token = t.token, password = crypt($1, salt) WHERE secret IS NULL")',
    'mysql --password="$PASSWORD" --host=\'db\' token="${TOKEN}"',
  ])('%j', (line) => {
    expect(scrubLine(line)).toBe(line)
  })
})

describe('settings', () => {
  it('apply to literals as to texts', () => {
    const line = "fail('pin=1234 token=abcd', `Bearer abc123`); set('pin', 'zero')"
    expect(scrubLine(line, { fields: ['pin'], excludedFields: ['token'] })).toBe(
      "fail('pin=[Filtered] token=abcd', `Bearer [token]`); set('pin', '[Filtered]')",
    )
    expect(scrubLine(line, { rules: { password: false, fields: false, token: false } })).toBe(line)
  })
})

/** Pieces of code, with every character at which the search stops, and no name of a secret. */
const harmlessCode = fc.constantFrom(
  ..."user total fetch( ) { } => === = : , ; . + ' \" ` \\ ${ %s ?a=1 &b= don't /* // <b> [0] 42 const return".split(
    ' ',
  ),
  ' ',
  ', ',
  ' = ',
)

/** The same, with names of secrets and values. */
const anyCode = fc.oneof(
  harmlessCode,
  fc.constantFrom(
    'password',
    'token=',
    "'pwd'",
    'pwd: ',
    'Bearer ',
    'Basic ',
    'hunter2',
    'Authorization: ',
    '%3D',
  ),
)

function lineOf(parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(parts, { minLength: 1, maxLength }).map((pieces) => pieces.join(''))
}

describe('any line', () => {
  it('is unchanged when it contains no secret name', () => {
    fc.assert(
      fc.property(lineOf(harmlessCode, 60), (line) => {
        expect(scrubLine(line)).toBe(line)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is unchanged by a second scrub, and keeps the code around its marks', () => {
    fc.assert(
      fc.property(lineOf(anyCode, 60), (line) => {
        const once = scrubLine(line)
        expect(scrubLine(once)).toBe(once)
        expect(isSubsequence(once.replaceAll(/\[(?:Filtered|token)\]/g, ''), line)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is read in time that grows no faster than it does', () => {
    fc.assert(
      fc.property(lineOf(anyCode, 5), (part) => {
        const prepare = (characters: number) => {
          const line = `'${part.repeat(Math.ceil(characters / part.length))}`
          return () => scrubLine(line)
        }
        expect(findExcessGrowth(prepare)).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of part) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
