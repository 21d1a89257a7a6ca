// breaks: server-not-to-web
import { Button } from '../../../../web/ui/button.tsx'
export const mail = Button
