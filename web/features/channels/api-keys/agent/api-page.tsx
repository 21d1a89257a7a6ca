import { ChevronRight } from 'lucide-react'
import { developerTexts } from '../../../../texts/developer.ts'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { CodeExample } from './code-example.tsx'
import { KeyList } from './key-list.tsx'
import { WebhookList } from './webhook-list.tsx'

/** Keys and webhooks for the agent's own programs. */
export default function ApiPage() {
  return (
    <Page>
      <PageHeader
        title={developerTexts.title}
        actions={
          <a href="/v1/guide" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
            {developerTexts.guide}
            <ChevronRight className="size-4.5" aria-hidden="true" />
          </a>
        }
      />
      <div className="flex flex-col gap-6 lg:grid lg:grid-cols-2 lg:gap-8">
        <KeyList />
        <div className="flex min-w-0 flex-col gap-3">
          <CodeExample />
          <WebhookList />
        </div>
      </div>
    </Page>
  )
}
