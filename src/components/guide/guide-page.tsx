import { Link } from '#components/ui/link.tsx'
import type { GuideView } from '#server/console/guides/views.ts'
import { GuideText } from './guide-text.tsx'
import '#styles/guides.css'

/** A page of the documentation, next to the list of all pages. */
export function GuidePage({ view }: { view: GuideView }) {
  return (
    <div className="guide">
      <nav className="guide-list" aria-label="Documentation">
        <details>
          <summary>All guides</summary>
          <GuideLinks view={view} />
        </details>
        <div className="guide-list-wide">
          <GuideLinks view={view} />
        </div>
      </nav>
      <GuideText nodes={view.nodes} />
      {view.sections.length < 2 ? null : (
        <nav className="guide-sections" aria-label="On this page">
          <h2>On this page</h2>
          <ul>
            {view.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

function GuideLinks({ view }: { view: GuideView }) {
  return (
    <>
      <ul>
        <li>
          <Link to="/docs" activeOptions={{ exact: true }}>
            Overview
          </Link>
        </li>
      </ul>
      {view.groups.map(({ title, guides }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {guides.map((guide) => (
              <li key={guide.name}>
                <Link to="/docs/$guide" params={{ guide: guide.name }} activeOptions={{ includeHash: false }}>
                  {guide.title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
