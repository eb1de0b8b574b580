import type { Frame } from '#protocol/event.ts'
import type { FilterSubject } from './filter-subject.ts'

/** Errors that extensions, toolbars, browsers and proxies throw in a page. Relay's list, `relay-filter`. */
const extensionMessages = toPattern([
  String.raw`top\.GLOBALS`,
  'originalCreateNotification',
  'canvas.contentDocument',
  'MyApp_RemoveAllHighlights',
  String.raw`http://tt\.epicplay\.com`,
  "Can't find variable: ZiteReader",
  'jigsaw is not defined',
  'ComboSearch is not defined',
  String.raw`http://loading\.retry\.widdit\.com/`,
  'atomicFindClose',
  'fb_xd_fragment',
  // A provider's "optimizing" proxy.
  'bmi_SafeAddOnload',
  'EBCallBackMessageReceived',
  // Chrome on iOS.
  '_gCrWeb',
  'conduitPage',
  // Google Search app on iOS.
  String.raw`null is not an object \(evaluating 'elt.parentNode'\)`,
  // Translation in Chrome and the Google app on iOS.
  String.raw`undefined is not an object \(evaluating 'a\.[A-Z]'\)`,
  // Dragon Web Extension.
  String.raw`plugin\.setSuspendState is not a function`,
  'Extension context invalidated',
  'webkit-masked-url:',
  // Firefox: an extension accesses a removed node.
  "can't access dead object",
])

/** URLs of extension code. */
const extensionSources = toPattern([
  String.raw`graph\.facebook\.com`,
  String.raw`connect\.facebook\.net`,
  String.raw`eatdifferent\.com\.woopra-ns\.com`,
  String.raw`static\.woopra\.com/js/woopra\.js`,
  '^chrome(?:-extension)?://',
  '^moz-extension://',
  '^safari(?:-web)?-extension://',
  'webkit-masked-url:',
  String.raw`127\.0\.0\.1:4001/isrunning`,
  String.raw`webappstoolbarba\.texthelp\.com/`,
  String.raw`metrics\.itunes\.apple\.com\.edgesuite\.net/`,
  String.raw`kaspersky-labs\.com`,
])

/** Frames without a code location. */
const anonymousPaths: ReadonlySet<string> = new Set(['<anonymous>', '[native code]'])

/**
 * True if the first exception has a message known from extensions, or was thrown in an extension's code: the
 * location is the last frame that is not anonymous. A frame without a path ends the search, because the owner
 * of its code is unknown.
 */
export function isFromBrowserExtension({ exceptions = [] }: FilterSubject): boolean {
  const [exception] = exceptions
  if (exception === undefined) return false
  if (exception.value !== undefined && extensionMessages.test(exception.value)) return true
  const frame = exception.stackTrace?.frames.findLast((each) => !anonymousPaths.has(framePath(each)))
  return frame !== undefined && extensionSources.test(framePath(frame))
}

function framePath({ absPath, filename }: Frame): string {
  return absPath ?? filename ?? ''
}

function toPattern(alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'i')
}
