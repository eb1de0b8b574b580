import { isJsonObject, type Json } from '#protocol/json.ts'

/** `%s`, `%-5d`, `%(name)s`, `%%`, `{}`, `{0}`, `{name}`, `{name:format}`, as loggers of all languages write them. */
const placeholder =
  /%(?:\((\w{1,64})\))?[-+ 0#]{0,3}\d{0,3}(?:\.\d{1,3})?([sdifrxXoeEgGcuv%])|\{(\w{0,64})(?:[:!][^{}]{0,32})?\}/g

/**
 * Fills the parameters into a log message's template; a placeholder without a parameter stays as it is.
 *
 * Widths and precisions are not honoured: this is for people to read, and the SDK did not keep the types. Once the
 * parameters filled in come to `maxCharacters`, further ones are not: one long parameter can be named a thousand times.
 */
export function fillTemplate(template: string, params: Json, maxCharacters: number): string {
  const parts: string[] = []
  let end = 0
  let position = 0
  let filledCharacters = 0
  for (const match of template.matchAll(placeholder)) {
    const [whole, percentName, conversion, braceName] = match
    parts.push(template.slice(end, match.index))
    end = match.index + whole.length
    const name = percentName || braceName || String(conversion === '%' ? 0 : position++)
    const value = filledCharacters < maxCharacters ? findParam(params, name) : undefined
    const text = conversion === '%' ? '%' : value === undefined ? whole : toText(value)
    if (value !== undefined) filledCharacters += text.length
    parts.push(text)
  }
  return parts.join('') + template.slice(end)
}

function findParam(params: Json, name: string): Json | undefined {
  if (Array.isArray(params)) return /^\d{1,4}$/.test(name) ? params[Number(name)] : undefined
  return isJsonObject(params) && Object.hasOwn(params, name) ? params[name] : undefined
}

function toText(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
