/** A key is secret if its name contains one of these words. */
const secretWords = new Set(
  (
    'adyen airtable algolia anthropic appwrite azure cloudflare cohere datadog deepl functions gemini github gitlab groq honeycomb hubspot huggingface ' +
    'klaviyo mailchimp mailgun mailjet mapbox mistral mollie newrelic openai openrouter pagerduty paypal plaid postmark ' +
    'razorpay replicate resend rollbar sendgrid shopify slack snyk sparkpost square stripe supabase telegram twilio vercel xai ' +
    'zendesk ' +
    'aes cipher crypto cryptographic decrypt decryption dsa ecdsa enc encrypt gpg hmac kek master pgp private rsa signing ssh ' +
    'symmetric tls unseal wallet wireguard wrapping'
  ).split(' '),
)

/** A key with one of these words may also be an identifier: its value is tested. */
const ambiguousWords = new Set(
  'admin consumer deploy google host recovery root seal server service session shared webhook'.split(' '),
)

/**
 * The result for a name with "key": `named` keys are secret, `perhaps` ones are if their value looks like a
 * secret.
 */
export type KeyKind = 'named' | 'perhaps' | 'none'

/** Environment variables, in capitals, whose key is not secret. */
const publicVariables =
  /(?:^|_)(?:PUBLIC|PUB|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|IDEMPOTENCY|ROW|HASH|LOOKUP|UNIQUE|SEARCH|FILTER|GROUP|INDEX|OBJECT|ROUTING|SHARD|TRANSLATION|MESSAGE|EVENT|ISSUE|PROJECT|CONFIG|REGISTRY)_KEY$/

/**
 * Classifies a name that ends with "key": `STRIPE_KEY`, `masterKey`, `ssh_key`. Names in capitals are
 * environment variables, whose keys are mostly secret. In other names only the words above count: `sortKey`,
 * `cacheKey` and `primary_key` are not secret.
 */
export function readKeyName(words: readonly string[], name: string): KeyKind {
  const last = words.at(-1) ?? ''
  if (!last.endsWith('key')) return 'none'
  const word = last === 'key' ? (words.at(-2) ?? '') : last.slice(0, -3)
  if (secretWords.has(word)) return 'named'
  if (ambiguousWords.has(word)) return 'perhaps'
  const isVariable = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_KEY$/.test(name) && !publicVariables.test(name)
  return isVariable ? 'perhaps' : 'none'
}
