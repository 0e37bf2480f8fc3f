export const order = ['slow starts'];
for (let i = 0; i < 5; i++) await null;
order.push('slow ends');
export const slow = 'after await';
