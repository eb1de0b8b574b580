import type { FindingList } from '#server/scrub/finding-list.ts'

/** Tokens of a recognizable format, as their issuers document it for scanners. Without public keys. */
const shapes = [
  // Amazon Web Services: long-term and temporary access key ids.
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}(?![A-Za-z\d])`,
  // GitHub: classic and fine-grained tokens.
  String.raw`gh[opsur]_[A-Za-z\d]{36,255}`,
  String.raw`github_pat_\w{22,255}`,
  // GitLab: personal, deploy, runner and other tokens.
  String.raw`gl(?:pat|dt|rt|ptt|ft|cbt|agent)-[\w-]{20,255}`,
  // Slack: tokens, and the secret end of webhook URLs.
  String.raw`xox[abeoprs]-[A-Za-z\d-]{10,255}`,
  String.raw`xapp-\d-[A-Za-z\d-]{10,255}`,
  String.raw`(?<=hooks\.slack\.com/(?:services|workflows)/)[\w/-]{20,255}`,
  // Stripe: secret and restricted keys, webhook secrets.
  String.raw`(?:sk|rk)_(?:live|test)_[A-Za-z\d]{10,255}`,
  String.raw`whsec_[A-Za-z\d+/=]{20,255}`,
  // JSON web tokens and encrypted ones (RFC 7519, RFC 7516): a header that begins with {" and two to four
  // more parts.
  String.raw`(?<![\w-])eyJ[\w-]{10,4096}(?:\.[\w-]{0,65536}){2}(?:\.[\w-]{1,65536}){0,2}`,
  // Google: API keys, OAuth access tokens and client secrets.
  String.raw`AIza[\w-]{35}(?![\w-])`,
  String.raw`ya29\.[\w-]{20,2048}`,
  String.raw`GOCSPX-[\w-]{20,64}`,
  String.raw`1//0[\w-]{30,255}`,
  // OpenAI, Anthropic and others with the same format.
  String.raw`sk-(?:proj|ant|svcacct|admin|or)-[\w-]{20,255}`,
  String.raw`sk-[A-Za-z\d]{32,255}`,
  // Replicate, xAI, Perplexity.
  String.raw`r8_[A-Za-z\d]{36,40}(?!\w)`,
  String.raw`xai-[A-Za-z\d]{40,128}`,
  String.raw`pplx-[A-Za-z\d]{40,64}`,
  // npm, PyPI, Docker Hub, Hugging Face, DigitalOcean, Shopify, Sentry, Databricks, Linear, Postman.
  String.raw`npm_[A-Za-z\d]{36}(?![A-Za-z\d])`,
  String.raw`pypi-AgE[\w-]{50,255}`,
  String.raw`dckr_(?:pat|oat)_[\w-]{20,64}`,
  String.raw`hf_[A-Za-z\d]{30,64}`,
  String.raw`do[opr]_v1_[a-f\d]{64}`,
  String.raw`shp(?:at|ca|pa|ss)_[A-Fa-f\d]{32}`,
  String.raw`sntry[su]_[\w+/=-]{32,512}`,
  String.raw`dapi[a-f\d]{32}(?:-\d)?(?!\w)`,
  String.raw`lin_(?:api|oauth)_[A-Za-z\d]{32,64}`,
  String.raw`PMAK-[a-f\d]{24}-[a-f\d]{34}`,
  // Atlassian, Figma, Grafana, Groq, New Relic, Notion, PlanetScale, RubyGems, Square, Supabase, Tailscale,
  // age.
  String.raw`ATATT3[\w=-]{60,255}`,
  String.raw`figd_[\w-]{36,64}`,
  String.raw`gl(?:sa|c)_[\w+/=-]{32,512}`,
  String.raw`gsk_[A-Za-z\d]{40,64}`,
  String.raw`NRAK-[A-Z\d]{27}(?!\w)`,
  String.raw`(?:ntn_|secret_)[A-Za-z\d]{40,64}(?!\w)`,
  String.raw`pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}`,
  String.raw`rubygems_[a-f\d]{48}`,
  String.raw`sq0(?:atp|csp)-[\w-]{22,64}`,
  String.raw`sbp_[a-f\d]{40}|sb_secret_[\w-]{20,64}`,
  String.raw`tskey-[a-z]{2,16}-[\w-]{16,128}`,
  String.raw`AGE-SECRET-KEY-1[A-Z\d]{58}`,
  // Atlassian's Bitbucket, Contentful, Heroku, HubSpot, Okta, Plaid, PostHog.
  String.raw`ATBB[A-Za-z\d]{32}(?!\w)`,
  String.raw`CFPAT-[\w-]{43}(?![\w-])`,
  String.raw`HRKU-[\w-]{36,80}`,
  String.raw`pat-(?:na|eu)\d-[a-f\d-]{36}`,
  String.raw`(?<=SSWS )00[\w-]{40}`,
  String.raw`access-(?:sandbox|development|production)-[a-f\d-]{36}`,
  String.raw`phx_[A-Za-z\d]{40,64}`,
  // Facebook, PayPal and Braintree.
  String.raw`EAA[A-Za-z\d]{60,512}(?!\w)`,
  String.raw`A21AA[\w-]{80,128}`,
  String.raw`access_token\$(?:production|sandbox)\$[a-z\d]{16}\$[a-f\d]{32}`,
  // Vault and Doppler, which store other secrets.
  String.raw`s\.(?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])(?=[A-Z\d]{0,23}[a-z])[A-Za-z\d]{24}(?![\w.(])`,
  String.raw`hv[bsr]\.[\w-]{24,512}`,
  String.raw`dp\.(?:audit|ct|pt|sa|scim|st)\.[\w.-]{40,128}`,
  // Azure: the key in a connection string.
  String.raw`(?<=AccountKey=)[A-Za-z\d+/]{40,128}={0,2}`,
  // Discord: bot tokens, and the secret end of webhook URLs, also of Microsoft Teams.
  String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])`,
  String.raw`(?<=discord(?:app)?\.com/api/webhooks/\d{15,22}/)[\w-]{40,128}`,
  String.raw`(?<=\.webhook\.office\.com/webhookb2/)[\w@/-]{30,512}`,
  // SendGrid, Mailchimp, Twilio (API keys; account ids are public), Telegram bots.
  String.raw`SG\.[\w-]{16,32}\.[\w-]{16,64}`,
  // Mailgun has two formats, one of which is similar to Mailchimp's.
  String.raw`[a-f\d]{32}-(?:us\d{1,2}(?!\w)|[a-f\d]{8}-[a-f\d]{8}(?![\w-]))`,
  String.raw`(?<![\w-])key-[a-f\d]{32}(?!\w)`,
  String.raw`SK[a-f\d]{32}(?!\w)`,
  String.raw`\d{8,10}:AA[\w-]{33}(?![\w-])`,
]

/** Telegram's URLs have the token of a bot after these letters: `api.telegram.org/bot…/sendMessage`. */
const token = new RegExp(String.raw`(?:(?<![A-Za-z\d])|(?<=\/bot)(?=\d))(?:${shapes.join('|')})`, 'g')

/**
 * Secrets of applications in Azure. Their fixed part is not at the beginning, so that the list would test
 * them at every position.
 */
const azureSecret = /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g

/** Finds access tokens of well-known services, and JSON web tokens. */
export function findTokens(text: string, findings: FindingList): void {
  if (text.includes('Q~')) {
    findings.search(text, azureSecret, ({ 0: found, index }) => {
      findings.add(index, index + found.length, 'token')
    })
  }
  findings.search(text, token, ({ 0: found, index }) => {
    findings.add(index, index + found.length, 'token')
  })
}

const credentials = /(?<![\w-])(?:bearer|basic)\s{1,4}["']?(?=([\w.~+/=:-]{6,8192}))/dgi

/**
 * Finds credentials after `Bearer` and `Basic`: "Bearer authentication failed" does not match, and neither
 * does "Basic plan". `within` is the range to search, by default the whole text.
 */
export function findSchemeCredentials(
  text: string,
  findings: FindingList,
  within = { start: 0, end: text.length },
): void {
  findings.search(text.slice(within.start, within.end), credentials, ({ 0: found, 1: value, indices }) => {
    const [start, end] = indices?.[1] ?? [0, 0]
    const isSecret = /^basic/i.test(found) ? isUserAndPassword(value ?? '') : isRandomLooking(value ?? '')
    if (isSecret) findings.add(within.start + start, within.start + end, 'token')
  })
}

/**
 * RFC 7617: base64 of `user:password`, without control characters in either. Following characters of a path
 * or a name do not belong to it.
 */
function isUserAndPassword(value: string): boolean {
  const [encoded] = /^[\w+/-]{4,}={0,2}/.exec(value) ?? []
  return encoded !== undefined && /^\P{Cc}*:/u.test(Buffer.from(encoded, 'base64').toString('latin1'))
}

/** A word of a sentence contains neither digits nor capitals after its first letter, and is shorter. */
function isRandomLooking(value: string): boolean {
  return value.length >= 24 || /\d/.test(value) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value)
}
