import type { FormView } from '#server/auth/views.ts'
import type { ProjectName } from '#server/store/views.ts'

/** What the pages of one project show. Plain data, safe to send to the browser; times are Unix milliseconds. */

/** What every page of a project's settings shows. */
export interface ProjectPageView extends FormView {
  now: number
  project: ProjectHead
  /** The viewer may change what the page shows; else it is only read. */
  mayConfigure: boolean
}

/** A project as its settings name it. */
export interface ProjectHead extends ProjectName {
  createdAt: number
  /** Culvert's own project: it watches the application itself. */
  isBuiltIn: boolean
  /** False: whatever is sent to it is refused. */
  isAccepting: boolean
}

/** The page "Keys". */
export interface ProjectKeysView extends ProjectPageView {
  keys: ProjectKeyView[]
}

/** One key with the DSN made of it. */
export interface ProjectKeyView {
  publicKey: string
  label: string
  dsn: string
  isActive: boolean
  createdAt: number
  /** Its own limits as a person writes them; empty where the project's for each key hold. */
  limitText: string
}
