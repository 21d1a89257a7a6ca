// breaks: sandbox-apart
import { Button } from '../../web/ui/button.tsx'
export const Page = () => <Button />
