import { CodeBlock } from '#components/ui/code-block.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { sdkSetupGuides } from './sdk-snippets.ts'

interface SdkSetupProps {
  slug: string
  dsn: string
  platform: string | undefined
}

/** The setup guides of all SDKs, one open at a time, starting with the project's platform. */
export function SdkSetup({ slug, dsn, platform }: SdkSetupProps) {
  const guides = sdkSetupGuides(dsn)
  const openId = guides.find((guide) => platform !== undefined && guide.platforms.includes(platform))?.id
  return (
    <div className="sdk-setup">
      {guides.map((guide) => (
        <Disclosure key={guide.id} group={`sdk-${slug}`} summary={guide.name} isOpen={guide.id === openId}>
          {guide.steps.map((step) => (
            <CodeBlock key={step.label} label={step.label} code={step.code} />
          ))}
        </Disclosure>
      ))}
    </div>
  )
}
