import { together } from './together.ts'

together('server')
