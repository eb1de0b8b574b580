import type {
  GroupingTrialResult,
  OwnershipTrialResult,
  ScrubbingTrialResult,
  TwoFactorSetup,
} from '#server/forms/result-views.ts'
import type { AlertDryRun } from '#server/store/alerts/records.ts'

/** The data that the server and a page exchange about a form. Plain data, safe to send to the browser. */

/** The entered fields of a form; for several with one name, all of them. */
export type FormFields = Record<string, string | string[]>

/** The problem of a field, or, without a field, of the whole form. */
export interface FormProblem {
  field?: string
  message: string
}

/** The outcome of a form. */
export type FormReply =
  | {
      kind: 'done'
      /** The text of the notice: `Name saved.` */
      text?: string
      /** The action that undoes it. */
      undo?: PostedUndo
      /** The page to open. */
      leadsTo?: string
      /** The signed-in user has changed, so the page must be loaded as a new document. */
      isSignInChanged?: true
    }
  /** Something was created or tried that only this reply shows. */
  | { kind: 'shown'; shown: FormResult; text?: string }
  | FormRejection
  /** The session has ended. */
  | { kind: 'signed-out' }

/** Nothing was saved. */
export interface FormRejection {
  kind: 'rejected'
  /** HTTP status of the page that shows it. */
  status: 401 | 403 | 404 | 409 | 410 | 422 | 429
  problems: FormProblem[]
  /** The mark with which the form can be saved over the other change. */
  mark?: string
  /** Data of an earlier reply that the page still shows. */
  shown?: FormResult
}

/** Data that a form shows once. */
export type FormResult =
  | { kind: 'token'; token: string }
  | { kind: 'invitation'; organizationId: number; link: string }
  | { kind: 'two-factor'; setup: TwoFactorSetup }
  | { kind: 'grouping-trial'; trial: GroupingTrialResult }
  | { kind: 'ownership-trial'; trial: OwnershipTrialResult }
  | { kind: 'scrubbing-trial'; trial: ScrubbingTrialResult }
  | { kind: 'alert-dry-run'; ruleId: string; run: AlertDryRun }
  | { kind: 'test-event'; eventId: string; isStored: boolean }
  | { kind: 'unsubscribed' }

/** A form that a browser posted without JavaScript, and the reply that its page shows. */
export interface PostedForm {
  /** The path of the page. */
  pathname: string
  /** The name of the form on the page. */
  action: string
  /** The entered values, without passwords. */
  fields: FormFields
  reply: Extract<FormReply, { kind: 'shown' | 'rejected' }>
}

/** The reason why a form could not be submitted, or a change could not be made. */
export interface FormFailure {
  text: string
  digest?: string | undefined
  /** The sign-in page with a return path. */
  signInHref?: string
}

/** The reply to a form that a page submits by script. */
export type SubmitAnswer =
  | Exclude<FormReply, { kind: 'signed-out' }>
  | { kind: 'failed'; failure: FormFailure }

/** Submits the forms of the current page. */
export interface FormHost {
  submit: (form: FormData) => Promise<SubmitAnswer>
  /** The form that the browser posted without JavaScript, while its page is displayed. */
  findPosted: () => PostedForm | undefined
}

/** The notice of the form that redirected to the page. */
export interface PostedNotice {
  text: string
  /** The form that undoes it. */
  undo?: PostedUndo
}

/** The fields of an action that undoes another action. */
export interface PostedUndo {
  url: string
  fields: [name: string, value: string][]
  /** The status before the action by issue, for the optimistic update. */
  before?: Record<string, string>
}
