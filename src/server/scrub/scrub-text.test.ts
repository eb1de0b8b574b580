import { describe, expect, it } from 'vitest'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'
import { findSecrets, replaceSecrets, type TextKind } from './scrub-text.ts'

function scrub(
  text: string,
  { kind = 'text', ...settings }: Partial<ScrubSettings> & { kind?: TextKind } = {},
): string {
  const plan = createScrubPlan({ ...defaultScrubSettings, ...settings })
  const find = (part: string) => findSecrets(part, kind, { plan, limit: 500 })
  return replaceSecrets(text, find(text), find).text
}

const jwt =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'
const base64 = Buffer.from('jane:hunter2').toString('base64')

describe('scrubbing a text', () => {
  it.each([
    // Cards.
    ['card 4111111111111111 declined', 'card [creditcard] declined'],
    ['4111 1111 1111 1111', '[creditcard]'],
    ['pay 5555-5555-5555-4444 123 12/27', 'pay [creditcard] 123 12/27'],
    ['4111\u00a01111\u00a01111\u00a01111', '[creditcard]'],
    ['amex 3782 822463 10005.', 'amex [creditcard].'],
    ['{"n":"378282246310005"}', '{"n":"[creditcard]"}'],
    ['mastercard 2223003122003222, jcb 3530111333300000', 'mastercard [creditcard], jcb [creditcard]'],
    ['order-6011111111111117', 'order-[creditcard]'],
    // Accounts.
    ['to DE89370400440532013000 now', 'to [iban] now'],
    ['to GB29 NWBK 6016 1331 9268 19 BY', 'to [iban] BY'],
    ['MT84 MALT 0110 0001 2345 MTLC AST0 01S', '[iban]'],
    ['ssn 078-05-1120', 'ssn [us-ssn]'],
    // Keys.
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[pemkey]-----END RSA PRIVATE KEY-----',
    ],
    [
      'x -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA',
      'x -----BEGIN OPENSSH PRIVATE KEY-----[pemkey]',
    ],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----lQdGBF', '-----BEGIN PGP PRIVATE KEY BLOCK-----[pemkey]'],
    // URLs.
    ['postgres://app:s3cr3t@db:5432/shop', 'postgres://app:[Filtered]@db:5432/shop'],
    ['redis://:p@ss@cache/0 down', 'redis://:[Filtered]@cache/0 down'],
    [
      'https://u:p@a.example and https://u:q@b.example',
      'https://u:[Filtered]@a.example and https://u:[Filtered]@b.example',
    ],
    ['GET /login?user=jo&password=hunter2&x=1', 'GET /login?user=jo&password=[Filtered]&x=1'],
    ['https://s3/x?X-Amz-Signature=abc123&e=1', 'https://s3/x?X-Amz-Signature=[Filtered]&e=1'],
    ['/go?next=%2Flogin%3Ftoken%3Dabc%26b%3D1', '/go?next=%2Flogin%3Ftoken%3D[Filtered]%26b%3D1'],
    ['q=%7B%22password%22%3A%22hunter2%22%7D', 'q=%7B%22password%22%3A%22[Filtered]%22%7D'],
    // Tokens.
    ['Bearer abc123def456', 'Bearer [token]'],
    [`Basic ${base64}`, 'Basic [token]'],
    [`got ${jwt}.`, 'got [token].'],
    ['key AKIAIOSFODNN7EXAMPLE', 'key [token]'],
    // One token in thirty has no digit in its random part.
    ['key AKIAJRJRJQZNPGEWVMRX', 'key [token]'],
    ['rk_live_fsMYAghMxHXxjZonffNSymoj', '[token]'],
    ['GET /glpat-IIJgCxxHpJwnTHJPrTFR/healthz', 'GET /[token]/healthz'],
    [`ATATT3xFfGF0${'aB3'.repeat(40)}=1A2B3C4D`, '[token]'],
    [`glsa_${'aB3d'.repeat(8)}_0a1b2c3d`, '[token]'],
    [`pscale_tkn_${'aB3-'.repeat(10)}x`, '[token]'],
    [`file Basic ${base64}.txt`, 'file Basic [token]'],
    [`GET /x/Basic ${base64}/ready`, 'GET /x/Basic [token]'],
    // A fragment, and a query without a name.
    ['https://a.example/#Bearer%20abc123def456', 'https://a.example/#[token]'],
    ['https://a.example/?postgres%3A%2F%2Fapp%3As3cr3t%40db', 'https://a.example/?[Filtered]'],
    [
      'user:               jo\npassword:           geheim7',
      'user:               jo\npassword:           [Filtered]',
    ],
    [
      'user               = jo\npassword           = geheim7',
      'user               = jo\npassword           = [Filtered]',
    ],
    ['passwort=geheim7 Kennwort: geheim8', 'passwort=[Filtered] Kennwort: [Filtered]'],
    ['Ocp-Apim-Subscription-Key: abc123', 'Ocp-Apim-Subscription-Key: [Filtered]'],
    [`ghp_${'a1'.repeat(18)}`, '[token]'],
    ['github_pat_11ABCDEFG0abcdefghijkl_x', '[token]'],
    [`glpat-${'x1'.repeat(10)}`, '[token]'],
    [`xoxb-${'12'.repeat(6)}-abcdefABCDEF`, '[token]'],
    [`hooks.slack.com/services/T0000AAAA/B0000AAAA/${'Xy1'.repeat(8)}`, 'hooks.slack.com/services/[token]'],
    [`sk_live_${'aB3'.repeat(8)}`, '[token]'],
    [`AIza${'Sy1_-'.repeat(7)}`, '[token]'],
    [`sk-proj-${'aB3'.repeat(8)}`, '[token]'],
    [`npm_${'aB3'.repeat(12)}`, '[token]'],
    [`SG.${'aB3-'.repeat(5)}ab.${'xY9_'.repeat(10)}abc`, '[token]'],
    [`123456789:AA${'Hd9'.repeat(11)}`, '[token]'],
    [
      `api.telegram.org/bot123456789:AA${'Hd9'.repeat(11)}/sendMessage`,
      'api.telegram.org/bot[token]/sendMessage',
    ],
    [`hf_${'aB3'.repeat(11)}`, '[token]'],
    [`dapi${'ab12'.repeat(8)}`, '[token]'],
    [`lin_api_${'aB3'.repeat(13)}`, '[token]'],
    [`PMAK-${'a1'.repeat(12)}-${'b2'.repeat(17)}`, '[token]'],
    [`hvs.${'aB3_'.repeat(20)}`, '[token]'],
    [`dp.pt.${'aB3'.repeat(14)}`, '[token]'],
    [
      `AccountName=x;AccountKey=${'aB3+x'.repeat(4)}${'cD4'.repeat(22)}==;E=y`,
      'AccountName=x;AccountKey=[token];E=y',
    ],
    [`M${'Tk4'.repeat(8)}.Cl2FMQ.${'ZnC_j1-'.repeat(4)}`, '[token]'],
    [
      `discord.com/api/webhooks/123456789012345678/${'aB3-_'.repeat(13)}`,
      'discord.com/api/webhooks/123456789012345678/[token]',
    ],
    // Escapes in queries and forms.
    ['/pay?q=4111%201111%201111%201111&x=1', '/pay?q=[creditcard]&x=1'],
    ['card=4111+1111+1111+1111&x=1', 'card=[creditcard]&x=1'],
    ['/go?to=https%3A%2F%2Fjo%3Ahunter2%40shop.example%2F&x=1', '/go?to=[Filtered]&x=1'],
    ['/x?note=Bearer%20abcDEF123456', '/x?note=[token]'],
    ['/x?note=password%20%3D%20hunter2%ff', '/x?note=[Filtered]'],
    ['/x?k=-----BEGIN+PRIVATE+KEY-----%0AMIIabc', '/x?k=[pemkey]'],
    // Cards in foreign notations.
    ['diners 3600 666633 3344 and 36006666333344', 'diners [creditcard] and [creditcard]'],
    ['unionpay 6205500000000000004', 'unionpay [creditcard]'],
    ['4111.1111.1111.1111', '[creditcard]'],
    ['card4111111111111111 4111111111111111EXP', 'card[creditcard] [creditcard]EXP'],
    ['カード４１１１１１１１１１１１１１１１', 'カード[creditcard]'],
    ['بطاقة ٤١١١١١١١١١١١١١١١', 'بطاقة [creditcard]'],
    // Further tokens.
    ['1//0gFU7abcDEF-ghiJKL_mnoPQRstuVWXyz012', '[token]'],
    [`key-${'0a1b2c3d'.repeat(4)}`, '[token]'],
    [`${'0a1b2c3d'.repeat(4)}-0a1b2c3d-9f8e7d6c`, '[token]'],
    ['vault s.7Xk2mQ9vL4tR8sW1yB6nD3pZ', 'vault [token]'],
    [`secret_${'aB3'.repeat(14)}x`, '[token]'],
    [`r8_${'aB3'.repeat(12)}x xai-${'aB3'.repeat(26)} pplx-${'aB3'.repeat(16)}`, '[token] [token] [token]'],
    [`EAAC${'aB3'.repeat(40)}`, '[token]'],
    ['access-sandbox-de3ce8ef-33f8-452c-a685-8671031fc0f6', '[token]'],
    ['abc8Q~x7Gh2kQ9mX4vL1tR8sW5yB6nD3pZ0cVuA', '[token]'],
    [`Authorization SSWS 00${'aB3x'.repeat(10)}`, 'Authorization SSWS [token]'],
    // Hidden in escapes of escapes, and in base64.
    ['/x?next=%252Flogin%253Ftoken%253Dabcdef&y=1', '/x?next=[Filtered]&y=1'],
    ['/x?q=4111%25201111%25201111%25201111', '/x?q=[creditcard]'],
    [`state ${Buffer.from('{"password":"hunter2"}').toString('base64')} kept`, 'state [Filtered] kept'],
    [`c=${Buffer.from('card 4111111111111111').toString('base64url')};`, 'c=[creditcard];'],
    // Names in other languages and spellings.
    ['/x?contrase%C3%B1a=hunter2&y=1', '/x?contrase%C3%B1a=[Filtered]&y=1'],
    ['user%5Bpassword%5D=hunter2&y=1', 'user%5Bpassword%5D=[Filtered]&y=1'],
    ['/go?to=%2Fa%3Fcontrase%C3%B1a%3Dabc', '/go?to=%2Fa%3Fcontrase%C3%B1a%3D[Filtered]'],
    ['密码：hunter2', '密码：[Filtered]'],
    ['ｐａｓｓｗｏｒｄ＝hunter2', 'ｐａｓｓｗｏｒｄ＝[Filtered]'],
    ['Пароль: secret7', 'Пароль: [Filtered]'],
    ['senha=segredo7 pw=hunter2', 'senha=[Filtered] pw=[Filtered]'],
    ['app:s3cret@tcp(db:3306)/shop', 'app:[Filtered]@tcp(db:3306)/shop'],
    // Names that are secret only with certain values.
    ['sid=qZ7kP2mX9vL4tR8sW1yB; pin=4711', 'sid=[Filtered]; pin=[Filtered]'],
    ['STRIPE_KEY=qZ7kP2mX9vL4tR8s master_key: "x7Gh2kQ9"', 'STRIPE_KEY=[Filtered] master_key: "[Filtered]"'],
    ['x-functions-key: x7Gh2kQ9 ', 'x-functions-key: [Filtered] '],
    ['/x?magic_link=https%3A%2F%2Fa.example%2Fm%2Fabc', '/x?magic_link=[Filtered]'],
    ['run --verification-code 123456', 'run --verification-code [Filtered]'],
    ['<sessionid>qZ7kP2mX9vL4tR8sW1yB</sessionid>', '<sessionid>[Filtered]</sessionid>'],
    // Names in texts.
    ['password=hunter2', 'password=[Filtered]'],
    ['login failed, password: hunter2', 'login failed, password: [Filtered]'],
    ['password: swordfish', 'password: [Filtered]'],
    ['{"user":"jo","password":"hun\\"ter2","a":1}', '{"user":"jo","password":"[Filtered]","a":1}'],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', '{\\"password\\":\\"[Filtered]\\",\\"a\\":1}'],
    ['{"password":"hunter2 and cut o', '{"password":"[Filtered]'],
    ["{'api_key': 'abc', 'n': 1}", "{'api_key': '[Filtered]', 'n': 1}"],
    ["{'key': b'x', 'SECRET_KEY': b'abc'}", "{'key': b'x', 'SECRET_KEY': b'[Filtered]'}"],
    ['{"otp":123456,"n":1}', '{"otp":[Filtered],"n":1}'],
    ['{"tokens":["abc","def"],"n":1}', '{"tokens":[Filtered],"n":1}'],
    ['auth=("jo", "hunter2") n', 'auth=[Filtered] n'],
    ['Server=db;Password=a,b!c;Database=x', 'Server=db;Password=[Filtered];Database=x'],
    ['user[password]=hunter2', 'user[password]=[Filtered]'],
    ['pwd=hunter2 PWD=abc /?pwd=/x', 'pwd=[Filtered] PWD=[Filtered] /?pwd=/x'],
    ['API key: abcdef', 'API key: [Filtered]'],
    ['clientSecret => "abc"', 'clientSecret => "[Filtered]"'],
    ['Authorization: Digest username="jo", response="abc"\nHost: x', 'Authorization: [Filtered]\nHost: x'],
    ['Authorization: ApiKey abc def\nHost: x', 'Authorization: [Filtered]\nHost: x'],
    ["curl -H 'Authorization: Bearer abc1234' https://x", "curl -H 'Authorization: [Filtered]' https://x"],
    ['Cookie: a=1; sid=2\r\nHost: x', 'Cookie: [Filtered]\r\nHost: x'],
    ['Set-Cookie: sid="ab c"; Path=/\nHost: x', 'Set-Cookie: [Filtered]\nHost: x'],
    ['run --password hunter2 --verbose', 'run --password [Filtered] --verbose'],
    ["['run', '--password', 'hunter2']", "['run', '--password', [Filtered]]"],
    ['curl -s -u jo:hunter2 https://x', 'curl -s -u jo:[Filtered] https://x'],
    ["['curl', '-u', 'jo:hunter2', 'https://x']", "['curl', '-u', 'jo:[Filtered]', 'https://x']"],
    ['curl --user "jo:hunter2" https://x', 'curl --user "jo:[Filtered]" https://x'],
    ['mysqldump -uroot -phunter2 shop | gzip', 'mysqldump -uroot -p[Filtered] shop | gzip'],
    ["Command '['mysql', '-phunter2']' failed", "Command '['mysql', '-p[Filtered]']' failed"],
    ['sshpass -p hunter2 ssh -p 22 x', 'sshpass -p [Filtered] ssh -p 22 x'],
    ["['sshpass', '-p', 'hunter2', 'ssh']", "['sshpass', '-p', '[Filtered]', 'ssh']"],
    ['mongosh.exe -p hunter2 && mkdir -p data', 'mongosh.exe -p [Filtered] && mkdir -p data'],
    ['redis-cli -h cache -a hunter2 ping', 'redis-cli -h cache -a [Filtered] ping'],
    ['docker login -u jo -p hunter2 hub', 'docker login -u jo -p [Filtered] hub'],
    ['PGPASSWORD=hunter2 psql -h db', 'PGPASSWORD=[Filtered] psql -h db'],
    // SQL.
    [
      "INSERT INTO users (email, password) VALUES ('a''b', 'it''s'), ('c', 'd')",
      "INSERT INTO users (email, password) VALUES ('a''b', '[Filtered]'), ('c', '[Filtered]')",
    ],
    [
      'insert into `shop`.`users` (`id`, `api_token`, `at`) values (7, "abc", now())',
      'insert into `shop`.`users` (`id`, `api_token`, `at`) values (7, "[Filtered]", now())',
    ],
    [
      "INSERT INTO u (pin, password) VALUES (4711, crypt('abc', gen_salt('bf')))",
      "INSERT INTO u (pin, password) VALUES ([Filtered], crypt('[Filtered]')))",
    ],
    ["INSERT INTO u (a, token) VALUES (1, 'abc", "INSERT INTO u (a, token) VALUES (1, '[Filtered]"],
    [
      "[SQL: INSERT INTO u (at, email, password) VALUES (now(), ?, ?)]\n[parameters: ('jo', 'abc')]",
      "[SQL: INSERT INTO u (at, email, password) VALUES (now(), ?, ?)]\n[parameters: ('jo', '[Filtered]')]",
    ],
    [
      "[SQL: UPDATE u SET n=%s WHERE u.token = %s]\n[parameters: [(1, 'abc'), (2, 'def')]]",
      "[SQL: UPDATE u SET n=%s WHERE u.token = %s]\n[parameters: [(1, '[Filtered]'), (2, '[Filtered]')]]",
    ],
    [
      '(SQL: insert into `users` (`email`, `password`, `at`) values (jo@shop.example, $2y$12$abc/d.e, 2026-01-01))',
      '(SQL: insert into `users` (`email`, `password`, `at`) values (jo@shop.example, [Filtered], 2026-01-01))',
    ],
    ["CREATE USER jo WITH LOGIN PASSWORD 'abc'", "CREATE USER jo WITH LOGIN PASSWORD '[Filtered]'"],
    ["ALTER USER jo@'%' IDENTIFIED BY 'abc'", "ALTER USER jo@'%' IDENTIFIED BY '[Filtered]'"],
    // OAuth.
    ['GET /cb?code=4%2F0AX4XfWhabc123defghi&state=x', 'GET /cb?code=[Filtered]&state=x'],
    ['/cb?state=x&code=a1b2c3d4e5f6a7b8c9d0', '/cb?state=x&code=[Filtered]'],
    ['run --api-key="a b" x', 'run --api-key="[Filtered]" x'],
    ['<user><password>hunter2</password></user>', '<user><password>[Filtered]</password></user>'],
    [
      'Content-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b',
      'Content-Disposition: form-data; name="password"\r\n\r\n[Filtered]\r\n--b',
    ],
    // Home directories.
    ['open /home/jane/data.csv', 'open /home/[user]/data.csv'],
    ["ENOENT '/Users/jane.doe/x'", "ENOENT '/Users/[user]/x'"],
    ['file:///home/jane/x', 'file:///home/[user]/x'],
    ['C:\\Users\\Jane Doe\\x.txt', 'C:\\Users\\[user]\\x.txt'],
    ['in c:/Users/jane', 'in c:/Users/[user]'],
    ['c:\\users\\jane', 'c:\\users\\[user]'],
    ['C:\\Windows\\Profiles\\jane\\x', 'C:\\Windows\\Profiles\\[user]\\x'],
    ['C:\\Documents and Settings\\Jane Doe\\x', 'C:\\Documents and Settings\\[user]\\x'],
    [
      '/mnt/c/Users/jane/x /c/Users/jane/x /var/home/jane',
      '/mnt/c/Users/[user]/x /c/Users/[user]/x /var/home/[user]',
    ],
  ])('%j becomes %j', (text, expected) => {
    expect(scrub(text)).toBe(expected)
    expect(scrub(expected)).toBe(expected)
  })
})

describe('text that scrubbing keeps', () => {
  it.each([
    '41111111-1111-4111-8111-111111111111',
    '4111111111111112',
    '0.4111111111111111',
    '304e0aa3a8304d3eb3f6a4a1dea40da2-b7f611f8b82cb3bf-1',
    'sha256:1a6fc23e6d9b678b7b6992fc6992ce92c925f4ab8052f5ae7ed0142261bc885e',
    'commit 9ed1998d2a3a4c358a57122585d2a5c71a6fc23e',
    '1700000000000 1700000000000000 20240101120000',
    'checkout@1.2.3+456 order 1234-5678-9012',
    'phone 078-055-1120, 2024-01-02, 000-12-3456',
    'DE12345678901234567890 and SELECT A FROM BC12DEFGHIJKLMNOP',
    'https://host:8080/path/@scope/pkg',
    'http://localhost:3000/node_modules/@sentry/core',
    'https://e12d836b15bb49d7bbf99e64295d995b@o1.ingest.example/42',
    'jo@shop.example from 203.0.113.7',
    'invalid token: unexpected end of input',
    'password: required',
    'token=undefined&password=null',
    'Token::Invalid raised',
    'author: Jane, tokenizer: bpe, passwordless=true, secretary=Ann',
    'max_tokens=4096 token_count: 5 {"total_tokens": 1200}',
    'expires_in=3600 token_type=x',
    'UPDATE users SET password = $1, token = ? WHERE id = 7',
    'login user=%s password=%s',
    'password={password} secret={}',
    'Bearer authentication failed',
    'the Basic plan and bearer tokens',
    'Unexpected token: "}"',
    '/users/42/edit /api/home',
    'GET /home/offers',
    'https://shop.example/home/offers',
    'app:///home/x',
    'processTicksAndRejections at node:internal/process/task_queues:105:5',
    '-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----',
    'pk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'idempotency-key-d41d8cd98f00b204e9800998ecf8427e',
    'getServerSidePropsAndNothingElse glossary_of_the_whole_application hf_is_short',
    'Basic understanding/of:things',
    'https://a.example/?caf%C3%A9#se%C3%A7%C3%A3o%20tr%C3%AAs',
    'PWD=/srv/shop OLDPWD=/ pwd: C:\\shop, pwd=~/shop',
    'risk-assessment-of-the-quarterly-desk-2024-report',
    'constructor __proto__ toString',
    '[Filtered] password=[Filtered] [token]',
    'hasLoaderOptions = true, ExportHasLocal = 944, checkHasLone=12345',
    'session: ServerHttp2Session, exports.captureSession = exports$1.captureSession',
    'const storageKey = "tsr-scroll-restoration-v1_3", cacheKey=users:42:profile:v2',
    'sort_key=created_at#2024 primaryKey: 12345678 foreignKey=abc123def456',
    'https://a.example/app.js#hash=3f2a1b9c0d4e5f6a7b8c9d0e1f2a3b4c',
    'credit_card: "número de tarjeta", iban: "IBAN", pin: GPIO17, pass: 12',
    'debug("pw:webserver") second pass: reading symbols, ticket=SHOP-1234',
    'session_id=3f2a1b9c-0d4e-5f6a-7b8c-9d0e1f2a3b4c signature: foo(int, string)',
    'salt and pepper, seed=42, mnemonic: MOV, private: true, assertion: expected 1 to equal 2',
    'curl -u jo https://x:8080 -u jo:$PASSWORD --user-agent=a:b, mysql -p shop -p$MYSQL, mysql -P 3306',
    "['mysql', '-p', 'shop'] psql -p 5432 - curl failed: -1, docker run -p 80:80",
    'sshpass -e ssh -p 2222 jo@host',
    'docker login ghcr.io --password-stdin && docker run -p 80:80 x & docker compose -p shop up',
    'mongod -p 27017, mongoose -p 3000, ldap error -warning, apt-get install mysql-server -pkg',
    "INSERT INTO users (email, password) VALUES (?, $1), (%s, :password), ('a', NULL), ('b', '')",
    'INSERT INTO users (email, password) VALUES ($1, $2), (@p0, @p1), (:p0, :p1), (x, NEW.password), (a, ${b1})',
    "INSERT INTO users (email, name) VALUES ('password', 'token'), ('a', 'b')",
    'INSERT INTO stats (max_tokens, token_count) VALUES (4096, 17)',
    "[SQL: SELECT * FROM u WHERE token IS NULL AND id = ?]\n[parameters: ('abc',)]",
    "create a user with a password 'now', identified by 'ids'?",
    '/shop?code=US&state=CA /x?code=a1b2c3d4e5f6a7b8c9d0 /error?code=invalid_grant_request_1',
    '/error?code=invalid_grant_request_1&state=x',
    'statusCode=500 country_code=DE errorCode: E1234 zipcode=12345',
    'aHR0cHM6Ly9zaG9wLmV4YW1wbGUvcHJvZHVjdHMvbGFtcC0wMQ==',
    'commit 3600666633334411aa and 36006666333345, at 20240101120000',
    'https://hooks.example/1.2.3/x /home /Users C:\\Windows\\System32',
  ])('%j', (text) => {
    expect(scrub(text)).toBe(text)
  })

  it('is a route below /home in a browser', () => {
    expect(scrub('open /home/jane/data', { kind: 'route' })).toBe('open /home/jane/data')
    expect(scrub('open /Users/jane/data', { kind: 'route' })).toBe('open /Users/[user]/data')
  })
})

describe('source code', () => {
  it.each([
    ["const password = 'hunter2'", "const password = '[Filtered]'"],
    ['  "apiKey": "abcdef",', '  "apiKey": "[Filtered]",'],
    ['connect("postgres://app:s3cr3t@db/shop")', 'connect("postgres://app:[Filtered]@db/shop")'],
    ['const token = await getToken(user)', 'const token = await getToken(user)'],
    ['function login(password: string, token: Token) {', 'function login(password: string, token: Token) {'],
    ["const auth = require('auth')", "const auth = require('auth')"],
    ["password: 'Enter your password',", "password: 'Enter your password',"],
    ["{ name: 'password', password: 'password' }", "{ name: 'password', password: 'password' }"],
    ["res.headers.cookie = 'a=b'", "res.headers.cookie = 'a=b'"],
  ])('%j becomes %j', (text, expected) => {
    expect(scrub(text, { kind: 'source' })).toBe(expected)
  })
})

describe('the location of code', () => {
  it.each([
    ['https://u:p@cdn.example/app.js', 'https://u:[Filtered]@cdn.example/app.js'],
    ['https://cdn.example/app.js?token=abc', 'https://cdn.example/app.js?token=[Filtered]'],
    ['/home/jane/app/node_modules/@auth/core.js', '/home/jane/app/node_modules/@auth/core.js'],
  ])('%j becomes %j', (text, expected) => {
    expect(scrub(text, { kind: 'location' })).toBe(expected)
  })
})

describe('settings', () => {
  it.each([
    ['email', 'mail jo.d+x@shop.example!', 'mail [email]!'],
    ['ip', 'from 203.0.113.7:80 or 2001:db8::1.', 'from [ip]:80 or [ip].'],
    ['ip', '[73.133.27.120] `10.0.0.7` <::1>', '[[ip]] `[ip]` <[ip]>'],
    ['ip', 'http://[2001:db8::1]/ http://[::1]:8080/x', 'http://[[ip]]/ http://[[ip]]:8080/x'],
    ['ip', 'shop.example/203.0.113.7:443 timed out', 'shop.example/[ip]:443 timed out'],
    ['imei', 'imei 49-015420-323751-8', 'imei [imei]'],
    ['mac', 'at 00:1b:63:84:45:e6', 'at [mac]'],
    ['uuid', 'id 963861af-adc2-4b73-8f29-704c69bf4dc9', 'id [uuid]'],
  ] as const)('enable the rule %s', (rule, text, expected) => {
    expect(scrub(text)).toBe(text)
    expect(scrub(text, { rules: { [rule]: true } })).toBe(expected)
  })

  it('keep versions and namespaces when addresses are removed', () => {
    const text =
      'v1.2.3 at 10:20:30, Foo::Bar, ::add(x), 1.2.3.4.5, Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0 _10.0.0.7'
    expect(scrub(text, { ipAddresses: 'remove' })).toBe(text)
  })

  it('disable single rules', () => {
    const text = 'password=x card 4111111111111111'
    expect(scrub(text, { rules: { password: false } })).toBe('password=x card [creditcard]')
    expect(scrub(text, { rules: { creditcard: false } })).toBe('password=[Filtered] card 4111111111111111')
  })

  it('add secret names, and exclude safe ones', () => {
    expect(scrub('member_no=1234 pin=5', { fields: ['memberNo'] })).toBe('member_no=[Filtered] pin=5')
    expect(scrub('Пароль: абв', { fields: ['пароль'] })).toBe('Пароль: [Filtered]')
    expect(scrub('token=abc secret=d', { excludedFields: ['Token'] })).toBe('token=abc secret=[Filtered]')
  })

  it('that are disabled keep the text, except for addresses', () => {
    const text = 'password=x from 203.0.113.7'
    expect(scrub(text, { isOn: false })).toBe(text)
    expect(scrub(text, { isOn: false, ipAddresses: 'remove' })).toBe('password=x from [ip]')
  })
})
