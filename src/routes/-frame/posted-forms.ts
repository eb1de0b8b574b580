import { createMiddleware } from '@tanstack/react-start'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { findPageForms } from '#server/console/forms/form-registry.ts'
import { readFormFields } from '#server/forms/fields.ts'
import { answerAction } from '#server/forms/posted-action.ts'
import { answerBusy, readPostedForm } from '#server/forms/posted-form.ts'
import { answerPagePost } from '#server/forms/posted-page.ts'
import { requireSameOrigin } from '#server/forms/same-origin.ts'

/**
 * For the root route: submits a form that a browser posted to its page or to an action, and answers with the
 * page. Runs before the router is created, because the time limit of the page starts with the router.
 */
export const postedForms = createMiddleware()
  .middleware([requestViewer])
  .server(async ({ next, request, pathname, context: { services, viewer } }) => {
    const page = request.method === 'POST' ? findPageForms(pathname) : undefined
    if (page === undefined) return next()
    const { notDone } = page.forms
    const rejection = requireSameOrigin(request, { isAction: notDone !== undefined })
    if (rejection !== undefined) return rejection
    const form = await readPostedForm(request, pathname)
    if (form instanceof Response) return form
    const fields = readFormFields(form)
    const call = { services, viewer, request, fields, params: page.params }
    const leave = await page.forms.gate(call)
    if (leave === undefined) return answerBusy(pathname)
    try {
      const outcome = await page.forms.submit(call)
      if (notDone !== undefined) return answerAction({ request, outcome, notDone })
      const render = async () => (await next()).response
      return await answerPagePost({ request, fields, outcome, render })
    } finally {
      leave()
    }
  })
