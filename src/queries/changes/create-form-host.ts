import { shellQuery } from '#queries/shell.ts'
import type { FormHost, PostedForm } from '#server/forms/form-views.ts'
import type { PageStore } from './changed-data.ts'

/**
 * Submits the forms of the shown page. `posted` is the form that the browser posted without JavaScript; it is
 * discarded with the next submission, and when another page is shown.
 */
export function createFormHost(pages: PageStore, posted: PostedForm | undefined): FormHost {
  let kept = posted
  function forget(): void {
    kept = undefined
    pages.queryClient.setQueryData(shellQuery().queryKey, (shell) => shell && { ...shell, posted: undefined })
  }
  if (posted !== undefined) {
    const stop = pages.router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      if (!pathChanged) return
      stop()
      forget()
    })
  }
  return {
    findPosted: () => kept,
    async submit(form) {
      if (kept !== undefined) forget()
      // Loaded when the first form is submitted.
      const { submitPageForm } = await import('./submit-page-form.ts')
      return submitPageForm(pages, form)
    },
  }
}
