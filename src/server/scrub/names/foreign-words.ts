/**
 * "Password" in other languages: secret anywhere in a name, after its separators, diacritics and case are
 * removed.
 */
const anywhere = [
  // German, Dutch, Swedish, Danish, Norwegian, Icelandic.
  'kennwort',
  'passwort',
  'wachtwoord',
  'lösenord',
  'losenord',
  'adgangskode',
  'passord',
  'lykilorð',
  // Spanish, Catalan, Portuguese, French, Italian.
  'contraseña',
  'contrasena',
  'contrasenya',
  'palavrapasse',
  'motdepasse',
  'parolachiave',
  // Finnish, Lithuanian.
  'salasana',
  'slaptažodis',
  'slaptazodis',
  // Croatian, Serbian, Russian, Ukrainian, Bulgarian.
  'lozinka',
  'лозинка',
  'пароль',
  'парола',
  // Greek, Hebrew, Arabic, Persian, Hindi.
  'συνθηματικό',
  'κωδικόςπρόσβασης',
  'סיסמה',
  'סיסמא',
  'كلمة المرور',
  'كلمة السر',
  'رمز عبور',
  'पासवर्ड',
  // Chinese, Japanese, Korean, Vietnamese, Thai, Indonesian, Malay.
  '密码',
  '密碼',
  '口令',
  'パスワード',
  '暗証番号',
  '비밀번호',
  '암호',
  'mật khẩu',
  'matkhau',
  'รหัสผ่าน',
  'katasandi',
  'katalaluan',
]

/** The same, and German "secret", as a whole word only: as parts of words the letters have other meanings. */
export const foreignSecretWords: ReadonlySet<string> = new Set([
  // Portuguese, French, Romanian, Italian, Turkish.
  'senha',
  'mdp',
  'parola',
  'parolă',
  'sifre',
  'şifre',
  // Polish, Czech, Slovak, Slovene, Hungarian, Estonian.
  'haslo',
  'hasło',
  'heslo',
  'geslo',
  'jelszo',
  'jelszó',
  'parool',
  // German.
  'geheimnis',
])

/** Finds one of the words in a name without case and separators. */
export const foreignPassword = new RegExp(
  anywhere.map((word) => word.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]+/gu, '')).join('|'),
  'u',
)

/** Every name with such a word contains one of these. */
export const foreignPart = new RegExp(`${foreignPassword.source}|${[...foreignSecretWords].join('|')}`, 'u')
