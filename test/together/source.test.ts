import { together } from './together.ts'

together('source')
