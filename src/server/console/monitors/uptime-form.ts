import * as v from 'valibot'
import {
  defaultWarnDays,
  uptimeMethods,
  uptimeSettings,
  uptimeTargetKinds,
  type UptimeSettings,
} from '#monitors/uptime.ts'
import { isTicked, multilineText, rawText, text } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { parseHostAndPort } from '#server/private-destinations.ts'

const count = v.pipe(
  text,
  v.regex(/^\d{1,9}$/, 'Enter a whole number.'),
  v.transform((digits) => Number(digits)),
)

/** The fields of an uptime monitor's settings; those of other kinds of checks are ignored. */
export const uptimeFields = {
  kind: v.picklist(uptimeTargetKinds, 'Choose a kind of check.'),
  address: text,
  method: v.fallback(v.picklist(uptimeMethods), 'GET'),
  headers: multilineText,
  body: multilineText,
  expectedStatus: text,
  expectedText: rawText,
  followsRedirects: isTicked,
  warnDays: text,
  intervalSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
  recoveryThreshold: count,
}
const uptimeForm = v.object(uptimeFields)
type UptimeForm = v.InferOutput<typeof uptimeForm>

/** The settings in a form, without the owner, or their errors, each at its field. */
export function toUptimeSettings(
  fields: UptimeForm,
  environment: string,
): { ok: true; settings: UptimeSettings } | { ok: false; outcome: FormOutcome } {
  const parsed = v.safeParse(uptimeSettings, {
    ...fields,
    owner: undefined,
    kind: 'uptime',
    environment,
    target: toTarget(fields),
  })
  if (parsed.success) return { ok: true, settings: parsed.output }
  const problems = parsed.issues.map(({ path, message }) => {
    const names = (path ?? []).flatMap(({ key }) => (typeof key === 'string' ? key : []))
    const name = names.at(-1) ?? ''
    return { field: ['url', 'host', 'port', 'target'].includes(name) ? 'address' : name, message }
  })
  return { ok: false, outcome: reject(problems) }
}

/** The target in a form, before the schema validates it. */
function toTarget(fields: UptimeForm) {
  const { kind, address, method, body, expectedText, followsRedirects } = fields
  if (kind === 'http') {
    return {
      kind,
      url: address,
      method,
      headers: toHeaders(fields.headers),
      body,
      expectedStatus: fields.expectedStatus === '' ? '2xx' : fields.expectedStatus,
      expectedText,
      followsRedirects,
    }
  }
  const at =
    parseHostAndPort(address.replace(/^https:\/\/([^/]*).*$/, '$1')) ??
    parseHostAndPort(`${address.replace(/^https:\/\/([^/]*).*$/, '$1')}:443`)
  const { host = '', port = 443 } = at ?? {}
  if (kind === 'tcp') return { kind, host: address.includes(':') ? host : '', port }
  return { kind, host, port, warnDays: fields.warnDays === '' ? defaultWarnDays : Number(fields.warnDays) }
}

/** One header per line; a line without a colon yields an empty name, which the schema rejects. */
function toHeaders(lines: string): [string, string][] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()]
    })
}
