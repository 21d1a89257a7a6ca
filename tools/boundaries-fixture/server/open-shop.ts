import '../sandbox/mail.ts'
import './app.ts'
