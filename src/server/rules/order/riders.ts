import { createHash } from 'node:crypto';
import { serviceContent } from './orders.ts';

export function riderOf(orderId: string, country: string): string {
  const { riders } = serviceContent(country);
  return riders[createHash('sha256').update(orderId).digest()[0]! % riders.length]!;
}
