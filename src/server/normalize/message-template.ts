import { isJsonObject, type Json } from '#protocol/json.ts'

/**
 * `%s`, `%-5d`, `%(name)s`, `%%`, `{}`, `{0}`, `{name}`, `{name:format}`, the placeholders of loggers in all
 * languages.
 */
const placeholder =
  /%(?:\((\w{1,64})\))?[-+ 0#]{0,3}\d{0,3}(?:\.\d{1,3})?([sdifrxXoeEgGcuv%])|\{(\w{0,64})(?:[:!][^{}]{0,32})?\}/g

/** A template with inserted parameters. */
export interface FilledTemplate {
  text: string
  /** The positions of the parameters in `text`, in order; `name` is a key of an object, or an index. */
  ranges: { name: string; start: number; end: number }[]
}

/**
 * Inserts the parameters into a log message's template; a placeholder without a parameter is not replaced.
 *
 * Widths and precisions are ignored: the text is for reading, and the SDK did not keep the types. No more
 * parameters are inserted once they reach `maxCharacters`: one long parameter can be referenced a thousand
 * times.
 */
export function fillTemplate(template: string, params: Json, maxCharacters: number): FilledTemplate {
  const parts: string[] = []
  const ranges: FilledTemplate['ranges'] = []
  let end = 0
  let position = 0
  let length = 0
  let filledCharacters = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const match of template.matchAll(placeholder)) {
    const [whole, percentName, conversion, braceName] = match
    add(template.slice(end, match.index))
    end = match.index + whole.length
    const name = percentName || braceName || String(conversion === '%' ? 0 : position++)
    const isParam = conversion !== '%' && filledCharacters < maxCharacters
    const value = isParam ? findParam(params, name) : undefined
    if (value === undefined) {
      add(conversion === '%' ? '%' : whole)
      continue
    }
    const text = toText(value)
    filledCharacters += text.length
    ranges.push({ name, start: length, end: length + text.length })
    add(text)
  }
  add(template.slice(end))
  return { text: parts.join(''), ranges }
}

function findParam(params: Json, name: string): Json | undefined {
  if (Array.isArray(params)) return /^\d{1,4}$/.test(name) ? params[Number(name)] : undefined
  return isJsonObject(params) && Object.hasOwn(params, name) ? params[name] : undefined
}

function toText(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
