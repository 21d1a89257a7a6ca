import { MapPinOff } from 'lucide-react'
import { notFoundTexts } from '../texts/not-found.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export default function NotFoundPage() {
  return (
    <Page width="reading">
      <PageHeader title={notFoundTexts.heading} />
      <EmptyState
        icon={<MapPinOff />}
        title={notFoundTexts.title}
        action={<ButtonLink href="/store">{notFoundTexts.goToStore}</ButtonLink>}
      >
        {notFoundTexts.text}
      </EmptyState>
    </Page>
  )
}
