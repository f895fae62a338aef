/** Bengali labels of the menu categories, by category id. */
export const labels: Readonly<Record<string, string>> = {
  '50': 'পিৎজা',
  '52': 'লোডেড পিৎজা',
  '4': 'সাইডস',
  '5': 'পানীয়',
  '51': 'ডেজার্ট',
  '0': 'প্রিয়',
};
