import { createHash } from 'node:crypto';

const RIDERS: Readonly<Record<string, readonly string[]>> = {
  IN: ['Ravi', 'Sunil', 'Meena', 'Imran', 'Kavya', 'Joseph'],
  LK: ['Nuwan', 'Kumari', 'Ruwan', 'Fathima', 'Tharindu'],
  BG: ['Rahim', 'Shathi', 'Kamal', 'Nasrin', 'Tanvir'],
};

export function riderOf(orderId: string, country: string): string {
  const names = RIDERS[country] ?? ['Your rider'];
  return names[createHash('sha256').update(orderId).digest()[0]! % names.length]!;
}
