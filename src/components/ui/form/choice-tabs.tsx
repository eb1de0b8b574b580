import type { LinkProps } from '@tanstack/react-router'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'

interface ChoiceTabsProps<Choice extends string> {
  label: string
  choices: readonly Choice[]
  names: Record<Choice, string>
  current: Choice
  linkTo: (choice: Choice) => LinkProps
}

/** Links to the same page with one of several values of a search parameter. */
export function ChoiceTabs<Choice extends string>(props: ChoiceTabsProps<Choice>) {
  const { label, choices, names, current, linkTo } = props
  return (
    <LinkTabs label={label}>
      {choices.map((choice) => (
        <Link
          key={choice}
          {...linkTo(choice)}
          activeOptions={{ exact: true }}
          aria-current={choice === current ? 'page' : undefined}
        >
          {names[choice]}
        </Link>
      ))}
    </LinkTabs>
  )
}
