import { MapPinOff } from 'lucide-react'
import { appTexts } from '../texts/app.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export default function NotFoundPage() {
  return (
    <Page width="reading">
      <PageHeader title={appTexts.notFound} />
      <EmptyState icon={<MapPinOff />} title={appTexts.notFoundTitle} action={<ButtonLink href="/store">{appTexts.goToStore}</ButtonLink>}>
        {appTexts.notFoundText}
      </EmptyState>
    </Page>
  )
}
