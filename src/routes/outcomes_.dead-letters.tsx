import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeadLetterList } from '#components/outcome/dead-letter-list.tsx'
import { useAction } from '#queries/changes/use-action.ts'
import { deadLetterAction } from '#queries/dead-letter-action.ts'
import { deadLettersQuery } from '#queries/dead-letters.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/outcomes_/dead-letters')({
  ...pageRoute('Dead letters', deadLettersQuery),
  component: DeadLettersScreen,
})

function DeadLettersScreen() {
  const { data } = useSuspenseQuery(deadLettersQuery())
  return <DeadLetterList view={data} action={useAction(deadLetterAction)} />
}
