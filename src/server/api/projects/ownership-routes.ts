import * as v from 'valibot'
import { anyText } from '#server/api/answer-schema.ts'
import {
  answer,
  errorAnswer,
  fieldErrorAnswer,
  notFoundAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findPathProject } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { limits } from '#server/limits.ts'
import {
  getProjectSettings,
  updateProjectSettings,
  type OwnershipSettings,
} from '#server/store/projects/settings.ts'
import { parseCodeOwners } from '#source-links/owners/code-owners.ts'
import { parseOwnershipRules } from '#source-links/owners/ownership-rules.ts'

const automatic = 'Auto Assign to Issue Owner'
const manual = 'Turn off Auto-Assignment'

const ownershipAnswer = v.strictObject({
  raw: anyText,
  codeOwners: anyText,
  autoAssignment: v.picklist([automatic, manual]),
  isActive: v.boolean(),
  fallthrough: v.boolean(),
})

const file = v.optional(v.pipe(v.string(), v.maxLength(limits.ownershipCharacters)))
const ownershipBody = v.object({
  raw: file,
  codeOwners: file,
  autoAssignment: v.optional(v.picklist([automatic, manual])),
})

const path = '/projects/{org}/{project}/ownership/'

/** The code owners of a project. */
export const ownershipRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path,
    scope: 'project:read',
    summary: 'The ownership rules (`raw`) and the CODEOWNERS file of a project.',
    answers: ownershipAnswer,
    handle: async (call) => {
      const found = await findPathProject(call)
      if (found === undefined) return notFoundAnswer
      if (!isAllowed(found.role, 'triage')) return notAllowed
      const { ownership } = await getProjectSettings(call.services.store.db, found.projectId)
      return answer(toJson(ownership))
    },
  },
  {
    method: 'PUT',
    path,
    scope: 'alerts:write',
    summary: 'Changes the ownership rules; omitted fields stay unchanged. Invalid lines are rejected.',
    body: ownershipBody,
    answers: ownershipAnswer,
    handle: change,
  },
]

const notAllowed = errorAnswer(403, 'You do not have permission to perform this action.')

async function change(call: ApiCall): Promise<ApiAnswer> {
  const found = await findPathProject(call)
  if (found === undefined) return notFoundAnswer
  if (!isAllowed(found.role, 'configure')) return notAllowed
  const sent = await readCallBody(call, ownershipBody)
  if (!sent.ok) return sent.error
  const { raw, codeOwners, autoAssignment } = sent.body
  const [problem] = parseOwnershipRules(raw ?? '').problems
  if (problem !== undefined) return fieldErrorAnswer('raw', `Line ${problem.line}: ${problem.message}`)
  const [fileProblem] = parseCodeOwners(codeOwners ?? '').problems
  if (fileProblem !== undefined)
    return fieldErrorAnswer('codeOwners', `Line ${fileProblem.line}: ${fileProblem.message}`)
  const { ownership } = await updateProjectSettings(
    call.services.store,
    found.projectId,
    ({ ownership: before }) => ({
      ownership: {
        rules: raw ?? before.rules,
        codeOwners: codeOwners ?? before.codeOwners,
        isAutoAssigned: autoAssignment === undefined ? before.isAutoAssigned : autoAssignment === automatic,
      },
    }),
  )
  return answer(toJson(ownership))
}

function toJson({
  rules,
  codeOwners,
  isAutoAssigned,
}: OwnershipSettings): v.InferOutput<typeof ownershipAnswer> {
  return {
    raw: rules,
    codeOwners,
    autoAssignment: isAutoAssigned ? automatic : manual,
    isActive: true,
    fallthrough: false,
  }
}
