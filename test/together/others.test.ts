import { together } from './together.ts'

together('others')
