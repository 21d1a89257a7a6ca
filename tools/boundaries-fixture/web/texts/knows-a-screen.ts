// breaks: web-texts-alone
import { Button } from '../ui/button.tsx'
export const texts = { button: Button }
