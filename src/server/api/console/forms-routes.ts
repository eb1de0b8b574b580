import * as v from 'valibot'
import { anyText, textOrNull } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { findPageForms, handlePageForm, listForms } from '#server/console/forms/form-registry.ts'

/** Pages whose forms the API does not accept, each with the reason. */
export const closedPages: Readonly<Record<string, string>> = {
  '/login': 'A token needs no session.',
  '/sign-out': 'A token has no session.',
  '/setup': 'There is no token before there is an account.',
  '/invite/$token': 'The link is for a user without an account.',
  '/password/$token': 'The link is for a user who cannot sign in.',
  '/forgot-password': 'The link is for a user who cannot sign in.',
  '/unsubscribe/$token': 'The link is for a user who is not signed in.',
  '/settings': 'Passwords, second factors and sessions are changed by their owner only.',
  '/settings/tokens': 'A token must not create a token with more scopes.',
}

const formAnswer = v.strictObject({
  page: anyText,
  action: anyText,
  /** `$` stands for a parameter, as in the paths of pages. */
  fields: v.array(anyText),
  /** Fields that depend on the value of another field: by its name, then by its value. */
  fieldsByChoice: v.record(v.string(), v.record(v.string(), v.array(anyText))),
})

const sentForm = v.object({
  page: v.pipe(v.string(), v.startsWith('/')),
  action: v.optional(v.string()),
  fields: v.optional(v.record(v.string(), v.union([v.string(), v.array(v.string())])), {}),
})

const outcomeAnswer = v.strictObject({
  /** The text of the notice in the console. */
  text: textOrNull,
  /** The page to open. */
  page: textOrNull,
  /** Data that only this answer contains, such as the link of an invitation or the result of a dry run. */
  shown: v.nullable(v.record(v.string(), v.unknown())),
})

/** The console's forms as endpoints. */
export const formRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/organizations/{org}/forms/',
    scope: 'org:admin',
    summary: 'The forms of the console: the page of each, its action, and its fields.',
    answers: v.array(formAnswer),
    handle: (call) =>
      findMembership(call) === undefined
        ? notFoundAnswer
        : answer(
            listForms()
              .filter(({ page }) => !Object.hasOwn(closedPages, page))
              .map(({ page, action, fields, fieldsByChoice = {} }) => ({
                page,
                action,
                fields,
                fieldsByChoice,
              })),
          ),
  },
  {
    method: 'POST',
    path: '/organizations/{org}/forms/',
    scope: 'org:admin',
    summary: 'Submits a form of the console, with the same rights and checks. An omitted field is empty.',
    body: sentForm,
    answers: outcomeAnswer,
    handle: submitSentForm,
  },
]

async function submitSentForm(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, sentForm)
  if (!sent.ok) return sent.error
  const { page, action, fields } = sent.body
  return submitConsoleForm(call, page, { ...fields, ...(action !== undefined && { action }) })
}

/**
 * Submits a form of the console for the user of a token; forms about an organization use the one in the path.
 * The answer is `outcomeAnswer`, or an error.
 */
export async function submitConsoleForm(
  call: ApiCall,
  page: string,
  fields: Record<string, string | string[]>,
): Promise<ApiAnswer> {
  const membership = findMembership(call)
  const found = findPageForms(page)
  if (membership === undefined || found === undefined) return notFoundAnswer
  const reason = Object.hasOwn(closedPages, found.page) ? closedPages[found.page] : undefined
  if (reason !== undefined) return errorAnswer(403, `A token cannot submit the forms of this page: ${reason}`)
  const { services, viewer } = call
  // The form gets an empty request: a token is not a session, and has no cookies.
  const request = new Request(call.url, { method: 'POST' })
  const all = { ...fields, organization: String(membership.organizationId) }
  return toAnswer(await handlePageForm(page, { services, viewer, request, fields: all }))
}

function toAnswer(outcome: Awaited<ReturnType<typeof handlePageForm>>): ApiAnswer {
  if (outcome.kind === 'signed-out') return errorAnswer(401, 'The account of the token cannot do this.')
  if (outcome.kind === 'rejected') {
    const body: Record<string, string[] | string> = {}
    const problems = Map.groupBy(outcome.problems, ({ field = '' }) => field)
    for (const [field, ofField] of problems) {
      const messages = ofField.map(({ message }) => message)
      body[field === '' ? 'detail' : field] = field === '' ? messages.join(' ') : messages
    }
    return { status: outcome.status === 422 ? 400 : outcome.status, body }
  }
  const isShown = outcome.kind === 'shown'
  return answer({
    text: outcome.text ?? null,
    page: isShown ? null : (outcome.leadsTo ?? null),
    shown: isShown ? outcome.shown : null,
  })
}
