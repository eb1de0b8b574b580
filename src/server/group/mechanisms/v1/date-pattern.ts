const weekday = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?'
const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const monthNumber = '(?:0[1-9]|1[0-2])'
const day = '(?:0[1-9]|[12]\\d|3[01])'
const dayOrShortDay = '(?:0?[1-9]|[12]\\d|3[01])'
const hour = '(?:[01]\\d|2[0-3])'
const minute = '[0-5]\\d'
// 60 is a leap second.
const second = '(?:[0-5]\\d|60)'
const fraction = '(?:[.,]\\d{1,9})?'
const zone = '(?:Z|UTC?|GMT|[ECMP][SD]T|CES?T|[+-]\\d\\d:?\\d\\d)'
const clock = `${hour}:${minute}(?::${second}${fraction})?`
const namedZone = `GMT[+-]\\d{4}(?: \\([^()\\n]{1,60}\\))?`

/**
 * Source of a regular expression for the dates and times that runtimes, servers and log libraries print. Only
 * real months, days, hours and minutes; a format with more fields precedes those that it contains.
 */
export const datePattern = [
  // Python's repr.
  String.raw`datetime\.datetime\([^()\n]{1,100}\)`,
  // ISO 8601 and RFC 3339, Go's log, with and without time, zone and separators.
  String.raw`\d{4}[-/]${monthNumber}[-/]${day}(?:[T ]${clock}(?: ?${zone})?)?(?![\w-])`,
  String.raw`\d{4}${monthNumber}${day}T${hour}${minute}(?:${second}${fraction})?${zone}?(?!\w)`,
  // RFC 822, 1123, 2822: `Sat, 21 Nov 2026 03:04:05 GMT`; RFC 850: `Saturday, 21-Nov-26 03:04:05 GMT`.
  String.raw`(?:${weekday}, )?${dayOrShortDay}[ -]${month}[ -](?:\d{4}|\d{2})(?: ${clock}(?: ${zone})?)?(?!\w)`,
  // JavaScript's Date: `Sat Nov 21 2026 03:04:05 GMT+0100 (CET)`.
  String.raw`(?:${weekday},? )?${month} ${dayOrShortDay},? \d{4}(?:,? ${clock}(?: ${namedZone}| ${zone})?)?(?!\w)`,
  // ctime and syslog: `Sat Nov 21 03:04:05 2026`, `Nov 21 03:04:05`.
  String.raw`(?:${weekday} )?${month} {1,2}${dayOrShortDay} ${clock}(?: ${zone})?(?: \d{4})?(?!\w)`,
  String.raw`${weekday} ${month} {1,2}${dayOrShortDay}(?!\w)`,
  // Access logs: `21/Nov/2026:03:04:05 +0000`.
  String.raw`${day}/${month}/\d{4}:${clock}(?: ${zone})?(?!\w)`,
  // A time alone; after a colon or a dot it is probably a line and a column.
  String.raw`(?<![:.])(?:${hour}|\d):${minute}(?::${second}${fraction})?(?: ?[AaPp][Mm])?(?![\w:])`,
].join('|')
