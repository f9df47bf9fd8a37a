package shop

import java.util.concurrent.Executors

class Books {
    int count
    synchronized int book() {
        Thread.sleep(15)
        return ++count
    }
    static void main(String[] args) {
        def books = (1..20).collect { new Books() }
        def pool = Executors.newVirtualThreadPerTaskExecutor()
        60.times { i -> pool.submit({ books[i % 20].book() } as Runnable) }
        pool.close()
    }
}
